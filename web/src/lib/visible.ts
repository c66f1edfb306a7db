/** Characters that cannot be seen, or that turn the direction of what follows: a name could look like another one by them. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A name as it is, with a mark in place of each hidden character. */
export const visible = (name: string): string => name.replace(HIDDEN, "\ufffd");
