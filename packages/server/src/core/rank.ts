import type { AttributeValue } from "./contract/access.ts";
import { ranks } from "./contract/access.ts";

/** Who stands in a job: the viewer, or somebody whom an object belongs to, at the present time. */
export interface Member {
  readonly characterId: number;
  readonly job: string;
  readonly grade: number;
}

/** Whom the value of a rank reaches, so that a query can say it as well as a policy. */
export interface Reach {
  /** Everybody, of any job. */
  readonly any: boolean;
  readonly own: boolean;
  /** Others of the viewer's job, up to this grade; null for none. */
  readonly upTo: number | null;
}

/** A rank with those that it includes, as far as this version knows it. */
export function knownRanks(value: AttributeValue | undefined): readonly string[] {
  const named = Array.isArray(value) ? (value as readonly string[]) : [];
  return ranks.slice(0, ranks.findLastIndex((rank) => named.includes(rank)) + 1);
}

export function reachOf(value: AttributeValue | undefined, { grade }: Pick<Member, "grade">): Reach {
  const reached = knownRanks(value);
  const highest = reached.includes("same") ? grade : grade - 1;
  return { any: reached.includes("any"), own: reached.includes("own"), upTo: reached.includes("lower") ? highest : null };
}

export function covers({ any, own, upTo }: Reach, viewer: Pick<Member, "characterId" | "job">, other: Member): boolean {
  if (any) return true;
  if (other.characterId === viewer.characterId) return own;
  return upTo !== null && other.job === viewer.job && other.grade <= upTo;
}
