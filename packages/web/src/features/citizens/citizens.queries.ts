import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  avatarsTopic,
  avatarTopic,
  citizensTopic,
  citizenTopic,
  citizensPermissions,
  getCitizen,
  listCitizens,
} from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useLive } from "#core/realtime/live.tsx";
import { useLivePages } from "#core/realtime/pages.ts";
import { useLiveRows } from "#core/realtime/rows.ts";
import type { CitizensSearch } from "./citizens.search.ts";

export type Citizen = OutputOf<typeof getCitizen>;
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
