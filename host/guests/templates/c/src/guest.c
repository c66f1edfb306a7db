/* `{{name}}`: finds what is not finished yet. It runs at `{{point}}`.
 *
 * The bindings, guest.h, are made from guest.wit. What a response holds lies on the heap: the bindings free it. */
#include "guest.h"
#include "unfinished.h"
#include <stdlib.h>
#include <string.h>

typedef guest_string_t text_t;
typedef exports_teacher_assist_plugin_{{module}}_context_t context_t;
typedef exports_teacher_assist_plugin_{{module}}_event_t event_t;
typedef exports_teacher_assist_plugin_{{module}}_response_t response_t;
typedef exports_teacher_assist_plugin_{{module}}_finding_t finding_t;
enum {
    PASS = EXPORTS_TEACHER_ASSIST_PLUGIN_{{upper}}_VERDICT_PASS,
    {{tag}} = EXPORTS_TEACHER_ASSIST_PLUGIN_{{upper}}_VERDICT_{{tag}},
};

/* As many findings as a person reads. */
enum { FINDINGS_MAX = 100 };

static text_t copy(const char *text) {
    text_t made;
    guest_string_dup(&made, text);
    return made;
}

static void append(text_t *to, const char *from, size_t bytes) {
    to->ptr = realloc(to->ptr, to->len + bytes);
    if (!to->ptr) abort();
    memcpy(to->ptr + to->len, from, bytes);
    to->len += bytes;
}

static void append_text(text_t *to, const char *from) { append(to, from, strlen(from)); }

static void append_number(text_t *to, uint32_t number) {
    char digits[10];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    append(to, digits + at, sizeof digits - at);
}

static finding_t finding(uint32_t line, text_t mark) {
    finding_t made = {0};
    guest_string_dup(&made.class_, "unfinished");
    made.line.is_some = true;
    made.line.val = line;
    append_text(&made.message, "line ");
    append_number(&made.message, line);
    append_text(&made.message, " says `");
    append(&made.message, (const char *)mark.ptr, mark.len);
    append_text(&made.message, "`: finish it");
    return made;
}

static void found(response_t *response, const uint32_t *lines, size_t count, text_t mark) {
    size_t kept = count < FINDINGS_MAX ? count : FINDINGS_MAX;
    response->findings.ptr = malloc(kept * sizeof(finding_t));
    if (!response->findings.ptr) abort();
    response->findings.len = kept;
    for (size_t i = 0; i < kept; i++) response->findings.ptr[i] = finding(lines[i], mark);
    text_t reason = {0};
    append_text(&reason, "Finish what is marked `");
    append(&reason, (const char *)mark.ptr, mark.len);
    append_text(&reason, "`: ");
    append_number(&reason, (uint32_t)count);
    append_text(&reason, count == 1 ? " place." : " places.");
    {{answer}}
}

void exports_teacher_assist_plugin_{{module}}_run(context_t *context, event_t *event, response_t *response) {
    (void)context;
    memset(response, 0, sizeof *response);
    response->verdict.tag = PASS;
    text_t name, mark;
    guest_string_set(&name, "mark");
    if (!teacher_assist_plugin_config_get(&name, &mark)) mark = copy("TODO");
    text_t text = {{text}};
    uint32_t lines[FINDINGS_MAX];
    size_t count = unfinished((const char *)text.ptr, text.len, (const char *)mark.ptr, mark.len, lines, FINDINGS_MAX);
    if (count > 0) {
        found(response, lines, count, mark);
        return;
    }
    response->notes.ptr = malloc(sizeof(text_t));
    if (!response->notes.ptr) abort();
    response->notes.ptr[0] = copy("no `");
    append(&response->notes.ptr[0], (const char *)mark.ptr, mark.len);
    append_text(&response->notes.ptr[0], "`");
    response->notes.len = 1;
}
