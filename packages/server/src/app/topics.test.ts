import { Compile } from "typebox/compile";
import { expect, test } from "vitest";
import { features } from "./features.ts";

const topics = features.flatMap(({ contract }) => contract.topics ?? []);

test.each(topics.map((topic) => [topic.name, topic] as const))(
  "the topic %s has an example that is one of its messages",
  (_name, topic) => {
    expect(topic.example).toBeDefined();
    expect([...Compile(topic.message).Errors(topic.example)]).toEqual([]);
  },
);
