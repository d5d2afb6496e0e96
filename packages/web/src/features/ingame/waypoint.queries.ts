import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getWaypoint, setWaypoint, waypointTopic } from "@rollcall/server/contract/ingame";
import { useActiveIdentity } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useLiveAnswer } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";

/** Where a waypoint leads. */
export interface WaypointTarget {
  /** As it is named to the viewer. */
  readonly name: string;
  readonly place: { readonly postal: string } | { readonly x: number; readonly y: number };
}

/** The last waypoint of the viewer's character in the game, with live changes, and setting another one. */
export function useWaypoint(isPlaying: boolean) {
  const { character } = useActiveIdentity();
  const client = useQueryClient();
  const { data } = useLiveAnswer(getWaypoint, {}, { topic: waypointTopic, key: character.id, enabled: isPlaying });
  const setting = useMutation({
    mutationFn: async ({ place }: WaypointTarget) => await api.call(setWaypoint, { body: { target: place } }),
    onSuccess: async () => await client.invalidateQueries({ queryKey: queryOf(getWaypoint, {}).queryKey }),
  });
  return { waypoint: data?.waypoint ?? null, setting };
}

export type WaypointOfViewer = ReturnType<typeof useWaypoint>;
