import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  avatarsTopic,
  avatarTopic,
  citizensTopic,
  citizenTopic,
  citizensPermissions,
  getCitizen,
  getResync,
  listCitizens,
  requestResync,
  resyncTopic,
} from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { useLive } from "#core/realtime/live.tsx";
import { useLivePages } from "#core/realtime/pages.ts";
import { useLiveRows } from "#core/realtime/rows.ts";
import type { CitizensSearch } from "./citizens.search.ts";

export type Citizen = OutputOf<typeof getCitizen>;
export type Resync = OutputOf<typeof getResync>;
export type CitizenRow = OutputOf<typeof listCitizens>["items"][number];

/** The filtered list, page by page, with live changes. */
export function useCitizens(search: CitizensSearch) {
  const list = useLivePages<CitizenRow>(listCitizens, citizensTopic, search);
  const { query, rows } = list;
  useLive(avatarsTopic, {
    onEvent: ({ id }) => void (rows.some((row) => row.id === id) && query.refetch()),
    // The topic of the list already causes a reload.
    onSnapshot: () => undefined,
  });
  return list;
}

/** One citizen with live changes; `deleted` once the game has removed it. */
export function useCitizen(id: number) {
  const mayView = useAbilities().has(citizensPermissions.view);
  const query = useQuery({ ...queryOf(getCitizen, { params: { id } }), enabled: mayView });
  const rows = useLiveRows<Citizen>({
    topic: mayView ? citizenTopic : null,
    key: id,
    rows: query.data ? [query.data] : [],
    filtered: false,
    refetch: () => void query.refetch(),
  });
  useLive(mayView ? avatarTopic : null, { onEvent: () => void query.refetch(), onSnapshot: () => undefined }, id);
  return { query, citizen: rows[0], deleted: query.data !== undefined && rows.length === 0 };
}

/** A game server that stops or starts sends no event. Milliseconds. */
const CONNECTION_CHECK = 20_000;

/** How the last resynchronisation stands, with live changes; of nobody while `id` is null. */
export function useResync(id: number | null) {
  const query = useQuery({
    ...queryOf(getResync, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    refetchInterval: CONNECTION_CHECK,
  });
  const refetch = () => void query.refetch();
  useLive(id === null ? null : resyncTopic, { onEvent: refetch, onSnapshot: refetch }, id ?? 0);
  return query;
}

export async function requestResyncOf(id: number): Promise<Resync> {
  return await api.call(requestResync, { params: { id } });
}
