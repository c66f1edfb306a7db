/* Finds the lines of a text that hold a mark. Plain C: it knows nothing of the component that it becomes part of. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* How many lines hold the mark. The numbers of the first `lines_max` of them, counted from 1, are written to `lines`. */
size_t unfinished(const char *text, size_t text_bytes, const char *mark, size_t mark_bytes, uint32_t *lines, size_t lines_max);
