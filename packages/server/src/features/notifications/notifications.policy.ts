import type { NotificationDefinition } from "#core/contract/index.ts";

export interface Choice {
  readonly kind: string;
  readonly channel: string;
  readonly chosen: 0 | 1;
}

export type Channels = Readonly<Record<string, boolean>>;

/** The channels of a kind for a person with these choices. The bell of an `always` kind stays on. */
export function channelsOf(kind: NotificationDefinition, choices: readonly Choice[], offered: readonly string[]): Channels {
  const on = (channel: string) => {
    if (channel === "bell" && kind.always === true) return true;
    const choice = choices.find((one) => one.kind === kind.id && one.channel === channel);
    return choice ? choice.chosen === 1 : kind.channels.includes(channel);
  };
  return Object.fromEntries(offered.map((channel) => [channel, on(channel)]));
}

export function enabledChannels(channels: Channels): string[] {
  return Object.keys(channels).filter((channel) => channels[channel] === true);
}
