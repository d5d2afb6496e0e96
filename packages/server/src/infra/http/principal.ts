import type { AccountActor, Actor, LinkActor, Viewer } from "#core/actor.ts";
import type { LinkDefinition } from "#core/contract/link.ts";

/** The authenticated caller of a request. */
export interface Principal {
  readonly actor: Actor;
  readonly account: AccountActor | null;
  readonly viewer: Viewer | null;
  readonly sessionId: string | null;
  readonly link?: { readonly actor: LinkActor; readonly definition: LinkDefinition };
}
