/* A guardrail in C, at post-loop: ends the run when the output has more words than the configuration allows.
 *
 * Configuration: `words-max`, a whole number; 1500 when there is none. Build it with `cargo xtask c-guest`.
 * Start reading at the last function; the names before it are short ones for those of the bindings. */
#include "word_count.h"
#include <stdlib.h>
#include <string.h>

typedef word_count_string_t text_t;
typedef exports_teacher_assist_plugin_post_loop_context_t context_t;
typedef exports_teacher_assist_plugin_post_loop_event_t event_t;
typedef exports_teacher_assist_plugin_post_loop_response_t response_t;
enum {
    PASS = EXPORTS_TEACHER_ASSIST_PLUGIN_POST_LOOP_VERDICT_PASS,
    ABORT = EXPORTS_TEACHER_ASSIST_PLUGIN_POST_LOOP_VERDICT_ABORT,
};

enum {
    WORDS_MAX_DEFAULT = 1500,
    /* Nine digits fit into 32 bits. */
    DIGITS_MAX = 9,
    /* Longer than any sentence below. */
    SENTENCE_BYTES_MAX = 200,
};

static bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Words are what stands between white space, as every word processor counts them. */
static uint32_t count_words(text_t text) {
    uint32_t words = 0;
    bool inside = false;
    for (size_t i = 0; i < text.len; i++) {
        bool space = is_space(text.ptr[i]);
        words += !space && !inside;
        inside = !space;
    }
    return words;
}

/* Reads a whole number with white space around it. False for anything else. */
static bool parse(text_t text, uint32_t *number) {
    while (text.len > 0 && is_space(*text.ptr)) text.ptr++, text.len--;
    while (text.len > 0 && is_space(text.ptr[text.len - 1])) text.len--;
    if (text.len == 0 || text.len > DIGITS_MAX) return false;
    *number = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
        *number = *number * 10 + (text.ptr[i] - '0');
    }
    return true;
}

/* A copy on the heap: the bindings free what a response holds. */
static text_t copy(const char *text) {
    text_t made;
    word_count_string_dup(&made, text);
    return made;
}

static void append(char *sentence, const char *text) { memcpy(sentence + strlen(sentence), text, strlen(text) + 1); }

static void append_number(char *sentence, uint32_t number) {
    char digits[11];
    char *first = digits + sizeof digits;
    *--first = '\0';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    append(sentence, first);
}

static void abort_with(response_t *response, const char *code, const char *reason) {
    response->verdict.tag = ABORT;
    response->verdict.val.abort.code = copy(code);
    response->verdict.val.abort.reason = copy(reason);
    response->verdict.val.abort.declined = false;
}

static void note(response_t *response, const char *sentence) {
    response->notes.ptr = malloc(sizeof(text_t));
    if (!response->notes.ptr) abort();
    response->notes.ptr[0] = copy(sentence);
    response->notes.len = 1;
}

void exports_teacher_assist_plugin_post_loop_run(context_t *context, event_t *event, response_t *response) {
    *response = (response_t){.verdict = {.tag = PASS}};
    uint32_t words_max = WORDS_MAX_DEFAULT;
    text_t name, value;
    word_count_string_set(&name, "words-max");
    if (teacher_assist_plugin_config_get(&name, &value) && !parse(value, &words_max)) {
        abort_with(response, "configuration",
                   "The configuration of words-max is not a whole number of at most nine digits. Mend it in the manifest.");
        return;
    }
    uint32_t words = count_words(event->output);
    char sentence[SENTENCE_BYTES_MAX] = "The text has ";
    append_number(sentence, words);
    append(sentence, words == 1 ? " word; " : " words; ");
    append_number(sentence, words_max);
    append(sentence, " are allowed.");
    if (words > words_max) {
        append(sentence, " Ask for a shorter one.");
        abort_with(response, "too-long", sentence);
    } else {
        note(response, sentence);
    }
}
