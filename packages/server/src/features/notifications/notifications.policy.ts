import { type NotificationChannel, notificationChannels, type NotificationDefinition } from "#core/contract/index.ts";

export interface Choice {
  readonly kind: string;
  readonly channel: string;
  readonly chosen: 0 | 1;
}

export type Channels = Readonly<Record<NotificationChannel, boolean>>;

/** What somebody with these choices gets of a kind. The bell of an `always` kind stays on. */
export function channelsOf(kind: NotificationDefinition, choices: readonly Choice[]): Channels {
  const on = (channel: NotificationChannel) => {
    if (channel === "bell" && kind.always === true) return true;
    const choice = choices.find((one) => one.kind === kind.id && one.channel === channel);
    return choice ? choice.chosen === 1 : kind.channels.includes(channel);
  };
  return { bell: on("bell"), toast: on("toast"), sound: on("sound") };
}

export function listed(channels: Channels): NotificationChannel[] {
  return notificationChannels.filter((channel) => channels[channel]);
}
