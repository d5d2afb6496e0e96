import { Problem } from "#core/problem.ts";
import { withText } from "#core/problem.texts.ts";
import { megabytes } from "./sizes.ts";

/** A file that was not attached. */
export interface Unsent {
  readonly name: string;
  /** Null when there was no room for it. */
  readonly error: unknown;
}

interface Sending<F> {
  /** Size of the largest file, bytes; undefined where it is not known yet. */
  readonly maxBytes: number | undefined;
  /** How many more may be attached. */
  readonly room: number;
  readonly signal: AbortSignal;
  /** Uploads and attaches one file. */
  send(file: F): Promise<void>;
}

/** Sends files one after another. One that fails stops none of the others; the result names each with its error. */
export async function sendEach<F extends { readonly name: string; readonly size: number }>(
  files: readonly F[],
  { maxBytes, room, signal, send }: Sending<F>,
): Promise<Unsent[]> {
  const unsent: Unsent[] = [];
  let left = room;
  for (const file of files) {
    if (signal.aborted) break;
    const fail = (error: unknown) => unsent.push({ name: file.name, error });
    if (maxBytes !== undefined && file.size > maxBytes)
      fail(await withText(new Problem("files.tooLarge", 413, { params: { limit: megabytes(maxBytes) } })));
    else if (left === 0) fail(null);
    else {
      try {
        await send(file);
        left -= 1;
      } catch (error) {
        fail(error);
      }
    }
  }
  return signal.aborted ? [] : unsent;
}
