import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { notificationChannels, type NotificationDefinition } from "#core/contract/index.ts";
import { channelsOf, type Choice, enabledChannels } from "./notifications.policy.ts";

const kind: NotificationDefinition = { id: "notices.posted", tone: "info", params: [], channels: ["bell", "toast"] };
const safety: NotificationDefinition = { ...kind, id: "auth.newDevice", always: true };
const chosen = (channel: string, value: 0 | 1, of = kind.id): Choice => ({ kind: of, channel, chosen: value });
const everything = (of: string) => notificationChannels.map((channel) => chosen(channel, 0, of));

describe("the channels of a kind", () => {
  test.each<[string, NotificationDefinition, readonly Choice[], readonly string[]]>([
    ["are its own until the person chooses", kind, [], ["bell", "toast"]],
    ["are off where the person turned them off", kind, [chosen("toast", 0)], ["bell"]],
    ["are on where the person turned them on", kind, [chosen("sound", 1)], ["bell", "toast", "sound"]],
    ["are none when all are turned off", kind, everything(kind.id), []],
    ["do not follow what was chosen for another kind", kind, everything("other.kind"), ["bell", "toast"]],
    ["keep the bell of what concerns the account's safety", safety, everything(safety.id), ["bell"]],
    ["have that bell even if the kind has no channel", { ...safety, channels: [] }, [], ["bell"]],
  ])("%s", (_what, definition, choices, on) => {
    expect(enabledChannels(channelsOf(definition, choices, notificationChannels))).toEqual(on);
  });

  test("are only those that some way offers", () => {
    expect(channelsOf({ ...kind, channels: ["bell", "letter"] }, [chosen("pigeon", 1)], ["bell", "letter"])).toEqual({
      bell: true,
      letter: true,
    });
    expect(enabledChannels(channelsOf({ ...kind, channels: ["bell", "letter"] }, [], notificationChannels))).toEqual(["bell"]);
  });

  test("follow each choice, except for a bell that is always on", () => {
    const choices = fc.tuple(...notificationChannels.map(() => fc.constantFrom<0 | 1>(0, 1)));
    fc.assert(
      fc.property(choices, fc.boolean(), (values, always) => {
        const made = notificationChannels.map((channel, i) => chosen(channel, values[i] ?? 0));
        const on = enabledChannels(channelsOf({ ...kind, always }, made, notificationChannels));
        expect(on).toEqual(notificationChannels.filter((channel, i) => values[i] === 1 || (always && channel === "bell")));
      }),
      { seed: 29, numRuns: 50 },
    );
  });
});
