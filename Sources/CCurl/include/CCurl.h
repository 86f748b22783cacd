// The system's libcurl, loaded when the first server is asked, and not when the program starts: it brings some thirty libraries
// along, and most stores are files.
//
// Also what Swift's importer cannot see in it: functions with any number of arguments.
#ifndef CCURL_H
#define CCURL_H
#include <curl/curl.h>

typedef size_t (*curl_take)(char *bytes, size_t size, size_t count, void *context);

/// Whether it is there; the first call loads it. From any thread.
int curl_load(void);

// None of these may be called before.
CURL *curl_make_easy(void);
CURLM *curl_make_multi(void);
void curl_free_easy(CURL *easy);
void curl_free_multi(CURLM *multi);
void curl_reset(CURL *easy);
void curl_add(CURLM *multi, CURL *easy);
void curl_remove(CURLM *multi, CURL *easy);
void curl_step(CURLM *multi);
CURLMsg *curl_next_message(CURLM *multi);
/// At most so many milliseconds.
void curl_wait(CURLM *multi, int milliseconds);
void curl_go_on(CURL *easy);
/// Whether there is a connection, over which the question goes.
int curl_is_connected(CURL *easy);
/// How many bytes of the question's body have gone out.
long long curl_sent(CURL *easy);
const char *curl_words(CURLcode code);
struct curl_slist *curl_append(struct curl_slist *list, const char *text);
void curl_free_list(struct curl_slist *list);
CURLcode curl_set_number(CURL *easy, CURLoption option, long number);
CURLcode curl_set_size(CURL *easy, CURLoption option, curl_off_t size);
CURLcode curl_set_text(CURL *easy, CURLoption option, const char *text);
CURLcode curl_set_list(CURL *easy, CURLoption option, struct curl_slist *list);
/// The option for the function, and the one for what it is called with.
CURLcode curl_set_take(CURL *easy, CURLoption option, CURLoption data, curl_take take, void *context);

#endif
