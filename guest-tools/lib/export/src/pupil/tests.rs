use super::pupil_part;

const LESSON: &str = "# Fractions

**Class:** 2A

## Success criteria

They are shown first.

- I can add fractions.

## Misconceptions

- “3/4 is smaller than 2/4.”

## Keywords

- **numerator**: the top number

## Starter (8 minutes)

Then the pairs answer these:

1. What is $\\frac12 + \\frac12$? **Answer:** one. If many say two: draw it.
2. Say what *half* means. Listen for two equal parts.
   - A hint: fold a strip. Accept drawings.
3. **Find 1/4 of 8 (answer: 2)**

What works with 2A, says the profile: short tasks.

## Practice

| question | answer |
|---|---|
| 1/2 of 6 | 3 |

```
print(1 / 2)

print(2)
```

### Answers

1. seven

### More

- One more.

## Exit questions

1. Why? Answer: because.

2. How?

   **Answer:** like this.

   And like that.

3. Who?

| task | points |
|---|---|
| 3 + 4 = ? **Answer:** 7 | 1 |

**Answers:**

1. nine

## Homework

Give your answer in words; your solution: one sentence.

## Worksheet: solutions

all of them
";

#[test]
fn pupils_get_questions_and_no_answers() {
    insta::assert_snapshot!(pupil_part(LESSON).unwrap());
}

#[test]
fn a_text_without_sections_for_pupils_has_no_such_part() {
    assert_eq!(pupil_part("# Notes\n\n## Explanation\n\nText."), None);
    assert_eq!(pupil_part(""), None);
}
