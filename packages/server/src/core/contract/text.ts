import { Type } from "typebox";
import { inWords } from "./ids.ts";

/** Nobody types them, no page shows them, and in exports and logs they do harm. */
const control = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`;
const controlOrBreak = String.raw`\u0000-\u001f\u007f-\u009f`;

/** One line that says something, such as a name. Services store it without the blanks around it. */
export const lineOf = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: String.raw`^\s*[^\s${controlOrBreak}][^${controlOrBreak}]*$`,
    ...inWords("must be one line that is more than blanks; write it without tabs, line breaks and other control characters"),
  });

/** A text of some lines that says something, such as a reason. Services store it without the blanks around it. */
export const textOf = (maxLength: number, minLength = 1) =>
  Type.String({
    minLength,
    maxLength,
    pattern: String.raw`^\s*[^\s${control}][^${control}]*$`,
    ...inWords("must be more than blanks, without control characters other than line breaks; type it again"),
  });

/** The same for a text that may be empty. */
export const anyTextOf = (maxLength: number) =>
  Type.String({
    maxLength,
    pattern: `^[^${control}]*$`,
    ...inWords("must not contain control characters other than line breaks; type it again"),
  });
