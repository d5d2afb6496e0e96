import { useEffect, useEffectEvent } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { getWaypoint, type Waypoint, waypointTopic } from "@rollcall/server/contract/ingame";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useLiveAnswer } from "#core/realtime/lists.ts";
import { showToast, type ToastTone } from "#core/toasts.ts";
import { sentWaypoint, type SentWaypoint } from "./waypoint.sent.ts";

/** A failure is shown for longer than other messages. Milliseconds. */
const FAILED = 20_000;

const TONES: Readonly<Record<Waypoint["state"], ToastTone>> = {
  open: "info",
  delivered: "info",
  done: "success",
  refused: "warning",
  expired: "warning",
  unknown: "warning",
};

/** A toast says that the waypoint was sent, and one what became of it: in between none lies on what people do. */
export default function FollowedWaypoint({ sent }: { readonly sent: SentWaypoint }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const { data } = useLiveAnswer(getWaypoint, {}, { topic: waypointTopic, key: character.id });
  const last = data?.waypoint ?? null;
  const client = useQueryClient();
  const { sentAt } = sent.waypoint;
  // What was read before does not know it.
  useEffect(() => void client.invalidateQueries({ queryKey: queryOf(getWaypoint, {}).queryKey }), [client]);
  const isReplaced = last !== null && last.sentAt > sentAt;
  const { state, reason, endedAt } = last?.sentAt === sentAt ? last : sent.waypoint;
  const isOver = endedAt !== null;
  const say = useEffectEvent((now: Waypoint["state"]) => {
    const tone = TONES[now];
    const known = now === "refused" && reason ? "refusedReason" : now;
    return showToast({
      tone,
      title: t("ingame.waypoint.to", { to: t("ingame.waypoint.postal", { postal: sent.postal }) }),
      text: t(`ingame.waypoint.news.${known}`, { reason: reason ?? "" }),
      ...(isOver && tone === "warning" ? { shownFor: FAILED } : {}),
    });
  });
  useEffect(() => {
    if (isReplaced) return sentWaypoint.set(null);
    const drop = say(state);
    if (!isOver) return drop;
    sentWaypoint.set(null);
  }, [isReplaced, isOver, state]);
  return null;
}
