import { useState } from "react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { IconMapPin, IconMapSearch } from "@tabler/icons-react";
import { positionsPermissions } from "@rollcall/server/contract/positions";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { hasWords } from "#core/search.ts";
import { useProfileAddress } from "#features/citizens/citizens.api.ts";
import { useWaypoint, WaypointButton, WaypointOutcome, type WaypointOfViewer } from "#features/ingame/ingame.api.ts";
import { useLatest } from "#ui/latest.ts";
import { Guard } from "#ui/guard.tsx";
import { countByJob, JobCounts } from "#ui/jobCounts.tsx";
import { Records } from "#ui/records.tsx";
import { narrowPlace, usePlaceColumns } from "./columns.tsx";
import { NearField } from "./near.tsx";
import { OwnPlaceAge } from "./ownAge.tsx";
import { heldOrder, hiddenBecause, type PlaceRow, placeRows } from "./places.rows.ts";
import { usePlaces, usePostals } from "./positions.queries.ts";
import type { PositionsSearch } from "./positions.search.ts";
import { NoReports, WhyNobody } from "./why.tsx";
import classes from "./positions.module.css";

const route = getRouteApi("/places");

export default function PlacesPage() {
  return (
    <Guard permission={positionsPermissions.view}>
      <Places />
    </Guard>
  );
}

/** Who is where, the nearest to a postal first. */
function Places() {
  const { t, language } = useText();
  const search = route.useSearch() as PositionsSearch;
  const { q, job, postal } = search;
  const navigate = useNavigate();
  const jobLabel = useJobLabels();
  const addressOf = useProfileAddress();
  const { waiting, entries, query, own } = usePlaces();
  const postals = usePostals().data;
  const hasPostals = postals !== undefined && postals.codes.length > 0;
  const isPlaying = own?.known === true;
  const way = useWaypoint(isPlaying);
  const { toPerson } = useLatest({
    toPerson: ({ name, x, y }: PlaceRow) => way.setting.mutate({ name, place: { x, y } }),
  });
  const goTo = isPlaying ? toPerson : null;
  const [held, setHeld] = useState<readonly number[] | null>(null);
  const near = (postal === undefined ? undefined : postals?.placeOf(postal)) ?? null;
  const all = placeRows(entries, near, jobLabel);
  const found = q === undefined ? all : all.filter((row) => hasWords(q, [row.name, jobLabel(row.job), row.postal, row.vehicle]));
  const rows = heldOrder(job === undefined ? found : found.filter((row) => row.job === job), held);
  const put = (name: "job" | "postal", value: string | undefined) => {
    const { [name]: _before, top: _top, ...rest } = search;
    setHeld(null);
    void navigate({ to: "/places", search: value === undefined ? rest : { ...rest, [name]: value }, replace: true });
  };
  const hold = (isOver: boolean) => {
    if (isOver !== (held !== null)) setHeld(isOver ? rows.map(({ id }) => id) : null);
  };
  const why = entries.length === 0 && own ? hiddenBecause(own) : null;
  const counts = countByJob(
    found.map((row) => row.job),
    job,
    jobLabel,
  );
  const nobody = {
    icon: IconMapPin,
    title: t("positions.empty.title"),
    text: t("positions.empty.text"),
    ...(own && { action: <NoReports own={own} /> }),
  };
  return (
    <div
      className={classes["page"]}
      onPointerOver={({ target }) => hold((target as Element).closest("[role=row][data-index]") !== null)}
      onPointerLeave={() => hold(false)}
    >
      <Records
        title={t("positions.title")}
        path="/places"
        search={search}
        selected={null}
        query={{
          ...query,
          isPending: entries.length === 0 && (query.isPending || (why === null && waiting && !query.isError)),
          isError: entries.length === 0 && query.isError,
          ...onePage,
        }}
        rows={rows}
        columns={usePlaceColumns(near === null ? undefined : postal, hasPostals, goTo)}
        rowVersion={() => 0}
        narrow={(row) => narrowPlace(t, language, row, goTo)}
        address={(row) => addressOf(row.id)}
        empty={nobody}
        unmatched={
          entries.length === 0
            ? nobody
            : { icon: IconMapSearch, title: t("positions.nothing.title"), text: t("positions.nothing.text") }
        }
        count={t("positions.count", { count: rows.length })}
        total={rows.length}
        searchLabel={t("positions.searchLabel")}
        filters={[]}
        {...(why === null ? {} : { instead: <WhyNobody why={why} own={own} /> })}
        beside={
          postals && hasPostals ? (
            <>
              <NearField postals={postals} value={postal} onChange={(code) => put("postal", code)} />
              {isPlaying && near !== null && postal !== undefined && <ToPostal postal={postal} way={way} />}
            </>
          ) : undefined
        }
        above={
          <>
            {own && <OwnPlaceAge own={own} />}
            {isPlaying && <WaypointOutcome {...way} />}
            <JobCounts counts={counts} chosen={job} onChoose={(next) => put("job", next)} />
          </>
        }
      />
    </div>
  );
}

function ToPostal({ postal, way }: { readonly postal: string; readonly way: WaypointOfViewer }) {
  const { t } = useText();
  const name = t("ingame.waypoint.postal", { postal });
  return <WaypointButton to={name} large onSet={() => way.setting.mutate({ name, place: { postal } })} />;
}

const onePage = { hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => undefined } as const;
