import type { Viewer } from "#core/actor.ts";
import type { EventDefinition, EventTopic } from "#core/contract/index.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import type { AccessChange } from "./accesslists.contract.ts";
import { decide, type Entry, type Rules, type Subject } from "./accesslists.policy.ts";

type WireEntry = AccessChange["lists"][number]["entries"][number];

function entryOf([subject, job, minGrade, id, level]: WireEntry): Entry {
  return { subject: subject as Entry["subject"], job, minGrade, id, level, required: 0 };
}

/** The payload of the event about an object: the rules and entries of now, and those of before if they changed. */
export function accessChangeOf(
  { id, removed }: Pick<AccessChange, "id" | "removed">,
  { creatorId, creatorJob }: Rules,
  lists: readonly { readonly public: boolean; readonly entries: readonly Entry[] }[],
): AccessChange {
  const wire = lists.map((list) => ({
    public: list.public,
    entries: list.entries.map((entry): WireEntry => [entry.subject, entry.job, entry.minGrade, entry.id, entry.level]),
  }));
  return { id, removed, creatorId, creatorJob, lists: wire };
}

/** Whether the change concerns this viewer: the present list shows them the object, or the previous one did. */
export function isAffectedBy({ lists, creatorId, creatorJob }: AccessChange, who: Subject, levels: readonly string[]): boolean {
  return lists.some(({ entries, public: isPublic }) => {
    const rules = { creatorId, creatorJob, public: isPublic };
    return decide(entries.map(entryOf), rules, who, levels.length).level > 0;
  });
}

/**
 * The live topic of a kind of object with access lists: every viewer is sent the objects that they see or saw, by
 * their id alone. `event` has the payload `AccessChange`, `topic` the message `ObjectChanged`.
 */
export function accessListTopic(
  topic: EventTopic,
  event: Pick<EventDefinition, "id">,
  { levels, subjectOf }: { readonly levels: readonly string[]; readonly subjectOf: (viewer: Viewer) => Subject },
): TopicBinding {
  return {
    topic,
    async authorize(viewer) {
      const who = subjectOf(viewer);
      return {
        class: `${who.job} ${who.grade} ${who.characterId} ${who.jobAdmin} ${who.held.join()}`,
        view(data) {
          const change = data as AccessChange;
          return isAffectedBy(change, who, levels) ? { id: change.id, removed: change.removed } : null;
        },
      };
    },
    project: ({ type, payload }) => (type === event.id ? [{ key: null, data: payload }] : []),
  };
}
