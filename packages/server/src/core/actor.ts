import type { AttributeValue } from "./contract/access.ts";

/** Who did something, for the audit log and for policies. */
export type Actor =
  | { readonly kind: "system"; readonly name: string }
  | { readonly kind: "cli"; readonly user: string }
  | {
      readonly kind: "sync";
      readonly tokenFingerprint: string;
      readonly address: string;
      readonly userAgent?: string;
      readonly traceId: string;
    }
  | { readonly kind: "anonymous"; readonly address: string; readonly userAgent?: string; readonly traceId: string }
  | ({ readonly kind: "link" } & LinkActor)
  | ({ readonly kind: "account" } & AccountActor)
  | ({ readonly kind: "character" } & Viewer);

/** Somebody with the secret of a link. */
export interface LinkActor {
  readonly linkId: number;
  /** Id of its definition. */
  readonly link: string;
  /** What it is a link to, as its feature names it. */
  readonly subject: string;
  readonly label: string;
  readonly address: string;
  readonly userAgent?: string;
  readonly traceId: string;
}

export interface AccountActor {
  readonly accountId: number;
  readonly username: string;
  /** The game licence, without a `license:` prefix. */
  readonly licence: string;
  readonly groups: readonly string[];
  readonly sessionId: string;
  readonly configAdmin: boolean;
  /** May enter job admin; `Viewer.jobAdmin` says whether it is on. */
  readonly mayJobAdmin: boolean;
  readonly address: string;
  readonly userAgent?: string;
  readonly traceId: string;
}

/** An account acting as one of its characters. */
export interface Viewer extends AccountActor {
  readonly characterId: number;
  readonly characterName: string;
  readonly job: string;
  readonly grade: number;
  /** Set while job admin is on; `until` is when it expires. */
  readonly jobAdmin: { readonly reason: string; readonly until: number } | null;
  /** Set while the viewer sees the site as a lower grade, which `grade` then is; job admin is off meanwhile. */
  readonly seeAs?: { readonly until: number } | null;
  /** When the first active mode expires and the rights change; null when none is on. Milliseconds UTC. */
  readonly standingUntil?: number | null;
  /** Ids of the groups of the job in which the viewer is; left out by callers without access lists. */
  readonly jobGroups?: readonly number[];
  readonly rights: Rights;
}

/** What a viewer may do, resolved from the roles of the job and grade, the default role and limits. */
export interface Rights {
  /** Changes whenever the rights may have changed. */
  readonly epoch: string;
  has(permission: string): boolean;
  /** The value of an attribute, undefined when the permission is not held or the attribute not set. */
  attribute(permission: string, attribute: string): AttributeValue | undefined;
  /** Held permissions with their attributes, as sent to the browser. */
  all(): Readonly<Record<string, Readonly<Record<string, AttributeValue>>>>;
}

/** The actor in short: user name, operating-system user, schedule, token fingerprint, or label and id of a link; empty for an anonymous client. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "account":
    case "character":
      return actor.username;
    case "cli":
      return actor.user;
    case "system":
      return actor.name;
    case "sync":
      return actor.tokenFingerprint;
    case "link":
      return linkName(actor);
    case "anonymous":
      return "";
  }
}

/** As the audit log names a link. */
export function linkName({ label, linkId }: Pick<LinkActor, "label" | "linkId">): string {
  return `${label} (${linkId})`;
}
