import { asProblem } from "#core/problem.ts";

/** What is known of a token before it is used. */
export interface TokenLink {
  readonly username: string | null;
  /** No link has it: it was used, was revoked or has expired, or a version without links issued it. */
  readonly ended: boolean;
}

export const unknownLink: TokenLink = { username: null, ended: false };

/** Looks a token up; never rejects. What does not look like one is not sent. */
export async function lookUpToken(
  token: string,
  open: (token: string) => Promise<{ readonly username: string | null }>,
): Promise<TokenLink> {
  if (!/^[\w -]+$/.test(token)) return unknownLink;
  try {
    return { username: (await open(token)).username, ended: false };
  } catch (error) {
    return { username: null, ended: asProblem(error).code === "system.linkInvalid" };
  }
}
