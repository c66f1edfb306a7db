// Finds the lines of a text that hold a mark. It knows nothing of the component that it becomes part of.

/** The findings of a text: one for each line that holds the mark. */
export function unfinished(text, mark) {
  return text.split("\n").flatMap((line, index) => {
    if (!line.includes(mark)) return [];
    const message = `line ${index + 1} says \`${mark}\`: finish it`;
    return [{ class: "unfinished", about: [], part: null, line: index + 1, message }];
  });
}
