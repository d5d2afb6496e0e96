import type { StateField, TopicDefinition } from "#core/contract/index.ts";
import { stateFields } from "#core/contract/index.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { bucketNameOf } from "./latest.ts";

/** A topic as bound by its feature. `base` is the name without `/:key`. */
export interface Topic {
  readonly base: string;
  readonly keyed: boolean;
  readonly binding: TopicBinding;
  readonly definition: TopicDefinition;
  /** Empty for event topics. */
  readonly fields: readonly StateField[];
}

/** Finds the topic of a name in a subscription. Throws at start for a name bound twice. */
export class TopicRegistry {
  readonly all: readonly Topic[];
  readonly #plain = new Map<string, Topic>();
  readonly #keyed = new Map<string, Topic>();

  constructor(bindings: readonly TopicBinding[]) {
    this.all = bindings.map((binding) => {
      const { name, kind, message } = binding.topic;
      const slash = name.indexOf("/:");
      const keyed = slash !== -1;
      const base = keyed ? name.slice(0, slash) : name;
      const topic: Topic = {
        base,
        keyed,
        binding,
        definition: binding.topic,
        fields: kind === "state" ? stateFields(message) : [],
      };
      if (kind === "event" && !binding.project) throw new Error(`event topic ${name} has no project`);
      const map = keyed ? this.#keyed : this.#plain;
      if (map.has(base)) throw new Error(`topic ${name} is bound twice`);
      map.set(base, topic);
      return topic;
    });
    const buckets = new Map<string, string>();
    for (const { definition } of this.all) {
      if (definition.kind !== "state" || !definition.keepLatest) continue;
      const bucket = bucketNameOf(definition);
      const other = buckets.get(bucket);
      if (other !== undefined) throw new Error(`the topics ${other} and ${definition.name} would share the bucket ${bucket}`);
      buckets.set(bucket, definition.name);
    }
  }

  find(name: string): { topic: Topic; key: string | null } | null {
    const plain = this.#plain.get(name);
    if (plain) return { topic: plain, key: null };
    for (let slash = name.lastIndexOf("/"); slash > 0; slash = name.lastIndexOf("/", slash - 1)) {
      const topic = this.#keyed.get(name.slice(0, slash));
      const key = name.slice(slash + 1);
      if (topic && key !== "") return { topic, key };
    }
    return null;
  }

  byDefinition(definition: TopicDefinition): Topic | null {
    return this.all.find((t) => t.definition.name === definition.name) ?? null;
  }
}
