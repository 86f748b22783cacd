// The digests of OpenSSL's libcrypto as plain structs. Version 3 calls them deprecated in favour of an interface that looks them
// up by name at run time, where they may be missing; that a file has this digest is a fact of a format, and no choice of ours.
#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>
#endif
