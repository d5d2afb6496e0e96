import type { OperationDefinition, OutputOf } from "@rollcall/server/contract/core";
import { Problem } from "#core/problem.ts";
import type { CallArguments, CallInput, CallOptions, Transport } from "#core/transport.ts";

/** What a call needs from the session. */
export interface TokenSource {
  /** Whether a character is chosen, so that there are tokens. */
  hasCharacter(): boolean;
  /** A valid token; waits while the viewer signs in again. */
  token(): Promise<string>;
  /** The server refused the token: get another one. */
  renew(refused: string | null): Promise<void>;
  /** The session ended. Resolves when the same account has signed in again; rejects otherwise. */
  recover(): Promise<void>;
}

export interface Api {
  /** Calls an operation of the contract. Rejects with a {@link Problem}. */
  call<D extends OperationDefinition>(operation: D, ...given: CallArguments<D>): Promise<OutputOf<D>>;
}

const TOKEN_REFUSED = new Set(["system.tokenExpired", "system.tokenInvalid", "system.characterNeeded"]);
const SESSION_GONE = "system.signInNeeded";
const ATTEMPTS = 4;
const AS_CHARACTER: ReadonlySet<string> = new Set(["character", "permission", "jobAdmin"]);

export function createApi(transport: Transport, session: TokenSource): Api {
  return {
    async call<D extends OperationDefinition>(operation: D, ...given: CallArguments<D>) {
      const [input, options] = given as readonly [CallInput<D>?, CallOptions?];
      const { access } = operation;
      const asAdmin = access.kind === "permission" && access.orConfigAdmin === true && !session.hasCharacter();
      const asCharacter = AS_CHARACTER.has(access.kind) && !asAdmin;
      for (let attempt = 1; ; attempt += 1) {
        const token = asCharacter ? await session.token() : null;
        try {
          return await transport.send(operation, input ?? ({} as CallInput<D>), { ...options, token });
        } catch (error) {
          if (attempt === ATTEMPTS || !(await mendable(error, operation, session, token))) throw error;
        }
      }
    },
  };
}

/** True when the call is worth repeating: the session was renewed in the meantime. */
async function mendable(
  error: unknown,
  operation: OperationDefinition,
  session: TokenSource,
  token: string | null,
): Promise<boolean> {
  if (!(error instanceof Problem) || error.status !== 401 || operation.access.kind === "public") return false;
  if (TOKEN_REFUSED.has(error.code)) await session.renew(token);
  else if (error.code === SESSION_GONE) await session.recover();
  else return false;
  return true;
}
