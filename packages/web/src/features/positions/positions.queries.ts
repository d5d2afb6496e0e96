import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { foldCode } from "@rollcall/server/contract/core";
import { ownDutyTopic } from "@rollcall/server/contract/duty";
import { getOwnPlace, ownPlaceTopic, positionsTopic } from "@rollcall/server/contract/positions";
import { listPostals, type PostalList } from "@rollcall/server/contract/postals";
import { useActiveIdentity } from "#core/abilities.ts";
import { systemClock } from "#core/clock.ts";
import { queryOf } from "#core/queries.ts";
import { useLive } from "#core/realtime/live.tsx";
import { useStates } from "#core/realtime/useStates.ts";
import { hiddenBecause, type Point } from "./places.rows.ts";

/** A list of places is drawn again at most this often. Milliseconds. */
const EVERY = 1_000;
/** Without a connection no frame comes: the line above the page says so, and the list waits no longer than this. Milliseconds. */
const PATIENCE = 3_000;
/** While nobody is shown, what game servers report is asked again: no topic tells that one began or fell silent. Milliseconds. */
const AGAIN = 30_000;

/** How the viewer's own place stands, which decides whether others are shown, with live changes. */
function useOwnPlace(nobody: boolean) {
  const { character } = useActiveIdentity();
  const read = queryOf(getOwnPlace, {});
  const query = useQuery({ ...read, staleTime: 0, refetchInterval: nobody ? AGAIN : false });
  const client = useQueryClient();
  const again = () => void client.invalidateQueries({ queryKey: read.queryKey });
  useLive(ownDutyTopic, { onEvent: again, onSnapshot: again }, character.id);
  const live = useStates(ownPlaceTopic, character.id).entries[0];
  // A live value is newer than the answer. Where there is none any more, only the answer says how things are.
  const left = useEffectEvent(again);
  const isLive = live !== undefined;
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (wasLive.current && !isLive) left();
    wasLive.current = isLive;
  }, [isLive]);
  const { data } = query;
  const newer = live && { known: true, hidden: live.value.hidden, at: Math.max(live.at, data?.at ?? 0) };
  return { query, again, own: data && { ...data, ...newer } };
}

/** The places that the viewer may see, and how the own one stands. */
export function usePlaces() {
  const { known, entries } = useStates(positionsTopic, undefined, EVERY);
  const nobody = entries.length === 0;
  const { query, again, own } = useOwnPlace(nobody);
  // Whether others are shown changes with the own place.
  const turned = useEffectEvent((shown: boolean) => {
    if (own && shown === (hiddenBecause(own) !== null)) again();
  });
  useEffect(() => turned(!nobody), [nobody]);
  const [patient, setPatient] = useState(true);
  useEffect(() => systemClock.after(PATIENCE, () => setPatient(false)), []);
  /** Places come with the first frame. */
  const waiting = !known && nobody && patient;
  return { waiting, entries, query, own };
}

export interface Postals {
  readonly codes: readonly string[];
  /** Of the first postal with this code, compared as the server does. */
  placeOf(code: string): Point | undefined;
}

/** The postal codes of the map. Of an unchanged list, the browser keeps the answer. */
export function usePostals() {
  return useQuery({
    ...queryOf(listPostals, {}),
    staleTime: 10 * 60_000,
    select(answer): Postals {
      const { postals } = answer as unknown as PostalList;
      const places = new Map<string, Point>();
      for (const [code, x, y] of postals) if (!places.has(foldCode(code))) places.set(foldCode(code), { x, y });
      return { codes: [...new Set(postals.map(([code]) => code))], placeOf: (code) => places.get(foldCode(code)) };
    },
  });
}
