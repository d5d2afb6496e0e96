import { type NotificationChannel, notificationChannels, type NotificationDefinition } from "#core/contract/index.ts";

export interface Choice {
  readonly kind: string;
  readonly channel: string;
  readonly chosen: 0 | 1;
}

export type Channels = Readonly<Record<NotificationChannel, boolean>>;

/** The channels of a kind for a person with these choices. The bell of an `always` kind stays on. */
export function channelsOf(kind: NotificationDefinition, choices: readonly Choice[]): Channels {
  const on = (channel: NotificationChannel) => {
    if (channel === "bell" && kind.always === true) return true;
    const choice = choices.find((one) => one.kind === kind.id && one.channel === channel);
    return choice ? choice.chosen === 1 : kind.channels.includes(channel);
  };
  return { bell: on("bell"), toast: on("toast"), sound: on("sound") };
}

export function enabledChannels(channels: Channels): NotificationChannel[] {
  return notificationChannels.filter((channel) => channels[channel]);
}
