/* The little of a C library that the bindings need, so that the component imports nothing for the language's sake.
 *
 * Memory is handed out from the end of the linear memory and never taken back: every call of a guest gets a fresh
 * instance, so what one call uses is gone with it, and the host limits how much that may be. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 65536, ALIGNMENT = 16 };

/* Where the linker puts the first byte that nothing uses. */
extern uint8_t __heap_base;

/* The first free byte; zero before the first call. */
static uintptr_t next;

void *malloc(size_t size) {
    if (next == 0) next = (uintptr_t)&__heap_base;
    /* The size is kept before the memory, for realloc. */
    uintptr_t start = (next + sizeof(size_t) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    if (start < next || size > UINTPTR_MAX - start) return NULL;
    uintptr_t end = start + size;
    uintptr_t limit = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE_BYTES;
    if (end > limit) {
        size_t pages = (end - limit) / PAGE_BYTES + 1;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
    }
    ((size_t *)start)[-1] = size;
    next = end;
    return (void *)start;
}

void *realloc(void *old, size_t size) {
    if (!old) return malloc(size);
    size_t before = ((size_t *)old)[-1];
    if (size <= before) return old;
    void *fresh = malloc(size);
    return fresh ? memcpy(fresh, old, before) : NULL;
}

void free(void *memory) { (void)memory; }

_Noreturn void abort(void) { __builtin_trap(); }

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    uint8_t *out = to;
    const uint8_t *in = from;
    while (size--) *out++ = *in++;
    return to;
}

/* Called by no source: the compiler fills large records with it. */
void *memset(void *to, int value, size_t size) {
    uint8_t *out = to;
    while (size--) *out++ = (uint8_t)value;
    return to;
}
