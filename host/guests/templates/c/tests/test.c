/* The logic, tried natively: `make test`. */
#include "unfinished.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static size_t count(const char *text, const char *mark, uint32_t *lines) {
    return unfinished(text, strlen(text), mark, strlen(mark), lines, 2);
}

int main(void) {
    uint32_t lines[2] = {0, 0};
    assert(count("All is said.", "TODO", lines) == 0);
    assert(count("One\nTODO: two TODO\nthree TODO", "TODO", lines) == 2);
    assert(lines[0] == 2 && lines[1] == 3);
    assert(count("TODO\nTODO\nTODO", "TODO", lines) == 3);
    assert(count("", "TODO", lines) == 0 && count("TODO", "", lines) == 0);
    puts("all passed");
    return 0;
}
