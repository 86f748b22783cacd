// What Swift's importer cannot see in libcurl: functions with any number of arguments.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H
#include <curl/curl.h>

typedef size_t (*curl_take)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode curl_set_number(CURL *easy, CURLoption option, long number) {
  return curl_easy_setopt(easy, option, number);
}

static inline CURLcode curl_set_size(CURL *easy, CURLoption option, curl_off_t size) {
  return curl_easy_setopt(easy, option, size);
}

static inline CURLcode curl_set_text(CURL *easy, CURLoption option, const char *text) {
  return curl_easy_setopt(easy, option, text);
}

static inline CURLcode curl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(easy, option, list);
}

/// The option for the function, and the one for what it is called with.
static inline CURLcode curl_set_take(CURL *easy, CURLoption option, CURLoption data, curl_take take, void *context) {
  CURLcode code = curl_easy_setopt(easy, option, take);
  return code == CURLE_OK ? curl_easy_setopt(easy, data, context) : code;
}

static inline long curl_number(CURL *easy, CURLINFO info) {
  long number = 0;
  return curl_easy_getinfo(easy, info, &number) == CURLE_OK ? number : 0;
}

#endif
