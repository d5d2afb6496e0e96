import type { LabelChange } from "@rollcall/server/contract/colleagues";

/** What became of changes that were sent in parts. */
export interface Sent {
  /** The changes that lead back from those that were made. */
  readonly undo: readonly LabelChange[];
  /** Whose changes were refused, and why. */
  readonly refused: readonly { readonly id: number; readonly error: unknown }[];
}

/** Calls with the changes of up to `most` people at once. A part that is refused does not stop the others. */
export async function inParts(
  changes: readonly LabelChange[],
  most: number,
  call: (part: readonly LabelChange[]) => Promise<readonly LabelChange[]>,
): Promise<Sent> {
  const ids = [...new Set(changes.map(({ id }) => id))];
  const undo: LabelChange[] = [];
  const refused: { id: number; error: unknown }[] = [];
  for (let at = 0; at < ids.length; at += most) {
    const part = new Set(ids.slice(at, at + most));
    try {
      undo.push(...(await call(changes.filter(({ id }) => part.has(id)))));
    } catch (error) {
      refused.push(...[...part].map((id) => ({ id, error })));
    }
  }
  return { undo, refused };
}

/** What was sent, unless all of it was refused: then that is thrown. */
export function requireSome(sent: Sent, changes: readonly LabelChange[]): Sent {
  const people = new Set(changes.map(({ id }) => id));
  if (people.size > 0 && sent.refused.length === people.size) throw sent.refused[0]!.error;
  return sent;
}
