#include "unfinished.h"
#include <stdbool.h>

static bool begins_with(const char *text, size_t bytes, const char *mark, size_t mark_bytes) {
    if (mark_bytes > bytes) return false;
    for (size_t i = 0; i < mark_bytes; i++) {
        if (text[i] != mark[i]) return false;
    }
    return true;
}

size_t unfinished(const char *text, size_t text_bytes, const char *mark, size_t mark_bytes, uint32_t *lines, size_t lines_max) {
    size_t found = 0;
    uint32_t line = 1;
    bool counted = false;
    for (size_t i = 0; i < text_bytes; i++) {
        if (text[i] == '\n') {
            line++;
            counted = false;
        } else if (!counted && mark_bytes > 0 && begins_with(text + i, text_bytes - i, mark, mark_bytes)) {
            if (found < lines_max) lines[found] = line;
            found++;
            counted = true;
        }
    }
    return found;
}
