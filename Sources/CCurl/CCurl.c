#include "CCurl.h"
#include <dlfcn.h>
#include <pthread.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

static struct {
  CURLcode (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  CURLcode (*easy_pause)(CURL *, int);
  const char *(*easy_strerror)(CURLcode);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_cleanup)(CURLM *);
  CURLMcode (*multi_add_handle)(CURLM *, CURL *);
  CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
  CURLMcode (*multi_perform)(CURLM *, int *);
  CURLMsg *(*multi_info_read)(CURLM *, int *);
  CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd *, unsigned int, int, int *);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
} curl;

static int is_loaded = 0;

static void *opened(void) {
#ifdef __APPLE__
  return dlopen("/usr/lib/libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  return dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#endif
}

static int find(void *library, const char *name, void *place) {
  void *symbol = dlsym(library, name);
  *(void **)place = symbol;
  return symbol != NULL;
}

static void load(void) {
  void *library = opened();
  if (library == NULL) return;
  int all = 1;
#define FIND(name) all = find(library, "curl_" #name, &curl.name) && all
  FIND(global_init);
  FIND(easy_init);
  FIND(easy_cleanup);
  FIND(easy_reset);
  FIND(easy_setopt);
  FIND(easy_getinfo);
  FIND(easy_pause);
  FIND(easy_strerror);
  FIND(multi_init);
  FIND(multi_cleanup);
  FIND(multi_add_handle);
  FIND(multi_remove_handle);
  FIND(multi_perform);
  FIND(multi_info_read);
  FIND(multi_poll);
  FIND(slist_append);
  FIND(slist_free_all);
#undef FIND
  is_loaded = all && curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

int curl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

CURL *curl_make_easy(void) { return curl.easy_init(); }
CURLM *curl_make_multi(void) { return curl.multi_init(); }
void curl_free_easy(CURL *easy) { curl.easy_cleanup(easy); }
void curl_free_multi(CURLM *multi) { curl.multi_cleanup(multi); }
void curl_reset(CURL *easy) { curl.easy_reset(easy); }
void curl_add(CURLM *multi, CURL *easy) { curl.multi_add_handle(multi, easy); }
void curl_remove(CURLM *multi, CURL *easy) { curl.multi_remove_handle(multi, easy); }

void curl_step(CURLM *multi) {
  int running = 0;
  curl.multi_perform(multi, &running);
}

CURLMsg *curl_next_message(CURLM *multi) {
  int waiting = 0;
  return curl.multi_info_read(multi, &waiting);
}

void curl_wait(CURLM *multi, int milliseconds) { curl.multi_poll(multi, NULL, 0, milliseconds, NULL); }
void curl_go_on(CURL *easy) { curl.easy_pause(easy, CURLPAUSE_CONT); }

int curl_is_connected(CURL *easy) {
  double seconds = 0;
  return curl.easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME, &seconds) == CURLE_OK && seconds > 0;
}

long long curl_sent(CURL *easy) {
  curl_off_t bytes = 0;
  return curl.easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &bytes) == CURLE_OK ? bytes : 0;
}

const char *curl_words(CURLcode code) { return curl.easy_strerror(code); }
struct curl_slist *curl_append(struct curl_slist *list, const char *text) { return curl.slist_append(list, text); }
void curl_free_list(struct curl_slist *list) { curl.slist_free_all(list); }

CURLcode curl_set_number(CURL *easy, CURLoption option, long number) {
  return curl.easy_setopt(easy, option, number);
}

CURLcode curl_set_size(CURL *easy, CURLoption option, curl_off_t size) {
  return curl.easy_setopt(easy, option, size);
}

CURLcode curl_set_text(CURL *easy, CURLoption option, const char *text) {
  return curl.easy_setopt(easy, option, text);
}

CURLcode curl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return curl.easy_setopt(easy, option, list);
}

CURLcode curl_set_take(CURL *easy, CURLoption option, CURLoption data, curl_take take, void *context) {
  CURLcode code = curl.easy_setopt(easy, option, take);
  return code == CURLE_OK ? curl.easy_setopt(easy, data, context) : code;
}
