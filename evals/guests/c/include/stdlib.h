/* What the generated bindings need of a C library; see runtime.c. */
#pragma once
#include <stddef.h>

void *malloc(size_t size);
void *realloc(void *old, size_t size);
void free(void *memory);
_Noreturn void abort(void);
