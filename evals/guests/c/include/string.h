/* What the generated bindings need of a C library; see runtime.c. */
#pragma once
#include <stddef.h>

size_t strlen(const char *text);
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);
