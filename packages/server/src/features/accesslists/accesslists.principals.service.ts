import type { Viewer } from "#core/actor.ts";
import type { Tx } from "#core/ports/index.ts";
import type { PrincipalKind } from "./accesslists.api.ts";
import { type Entry, type Subject, subjectOf } from "./accesslists.policy.ts";
import { type InJob, type Principal, principalOf } from "./accesslists.principals.policy.ts";

/** The kinds of principals that other features register. Jobs, citizens and the public are always there. */
export class PrincipalKinds {
  readonly #kinds = new Map<PrincipalKind["subject"], PrincipalKind>();

  add(kind: PrincipalKind): void {
    if (this.#kinds.has(kind.subject)) throw new Error(`principals of the kind ${kind.subject} are registered twice`);
    this.#kinds.set(kind.subject, kind);
  }

  get(subject: PrincipalKind["subject"]): PrincipalKind | undefined {
    return this.#kinds.get(subject);
  }

  /** Without a statement: it is asked in every list and for every live message. */
  subjectOf(viewer: Viewer): Subject {
    const held = [...this.#kinds.values()].flatMap((kind) => kind.heldBy(viewer).map((id) => principal(kind, id)));
    return subjectOf(viewer, held);
  }

  /** Somebody else, without the modes of admins. */
  async characterOf(tx: Tx, { characterId, job, grade }: InJob): Promise<Subject> {
    const who = { characterId, job, grade };
    const held: string[] = [];
    for (const kind of this.#kinds.values()) held.push(...(await kind.heldByOther(tx, who)).map((id) => principal(kind, id)));
    return { ...who, held, jobAdmin: false };
  }

  /** Principals in these entries of which the viewer may not know whether that character holds them. */
  async hiddenOf(tx: Tx, viewer: Viewer, who: InJob, entries: readonly Entry[]): Promise<Principal[]> {
    if (who.characterId === viewer.characterId) return [];
    const hidden: Principal[] = [];
    for (const kind of this.#kinds.values()) {
      const ids = entries.filter(({ subject }) => subject === kind.subject).map(({ id }) => id);
      if (ids.length > 0) hidden.push(...[...(await kind.hiddenOf(tx, viewer, who, ids))].map((id) => principal(kind, id)));
    }
    return hidden;
  }
}

const principal = ({ subject }: PrincipalKind, id: number) => principalOf({ subject, job: "", minGrade: 0, id });
