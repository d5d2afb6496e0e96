import { useMemo, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPhonePlus, IconPointer } from "@tabler/icons-react";
import { archiveAfterMs, callsPermissions, listPresent } from "@rollcall/server/contract/calls";
import { deskPanes, deskPermissions } from "@rollcall/server/contract/desk";
import { listUnits } from "@rollcall/server/contract/units";
import { useAbilities } from "#core/abilities.ts";
import { usePreference } from "#core/accountPreferences.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { AskDialog } from "#features/assignments/assignments.api.ts";
import { type Call, CallView, NewDialog, usePresentCalls } from "#features/calls/calls.api.ts";
import { readPresentPanics, usePresentPanics } from "#features/panic/panic.api.ts";
import { useCrewChanges, useStatuses, useUnits } from "#features/units/units.api.ts";
import { useAnnouncement } from "#ui/actionList.tsx";
import { useLatest } from "#ui/latest.ts";
import { Bars, EmptyState, ProblemNote, RightHint } from "#ui/states.tsx";
import { type DeskActions, useAssign } from "./actions.ts";
import { CallPane } from "./callPane.tsx";
import { CommandLine } from "./commandLine.tsx";
import { useSignOn } from "./desk.queries.ts";
import type { DeskSearch } from "./desk.search.ts";
import { DispatchersLine } from "./dispatchers.tsx";
import { FeedPane } from "./feedPane.tsx";
import { commandWords } from "./commandWords.ts";
import { Panes } from "./panes.tsx";
import { Phone } from "./phone.tsx";
import { PlacePane } from "./placePane.tsx";
import { callRows, quietOf } from "./order.ts";
import { UnitPane } from "./unitPane.tsx";
import classes from "./desk.module.css";

const route = getRouteApi("/dispatch");
const readCalls = queryOf(listPresent, {});
const readUnits = queryOf(listUnits, {});

/** The desk of dispatchers. On a phone there is no room for it: crews have their own pages. */
export default function DeskPage() {
  const { t } = useText();
  const phone = useMediaQuery("(max-width: 767.9px)", false, { getInitialValueInEffect: false });
  const abilities = useAbilities();
  const missing = [deskPermissions.open, callsPermissions.view].find((one) => !abilities.has(one));
  if (missing !== undefined)
    return (
      <div className={classes["note"]}>
        <h1>{t("desk.title")}</h1>
        <RightHint permission={missing.id} />
      </div>
    );
  if (phone) return <Phone />;
  return <Desk />;
}

const paneKeys = ["calls", "units", "places", "feed"] as const;

/** Puts the focus on the first control of a pane; of a collapsed one on its divider, where Enter restores it. */
function focusPane(pane: (typeof paneKeys)[number]): void {
  const control = document.querySelector<HTMLElement>(`[data-desk] [data-pane="${pane}"] button`);
  const collapsed = [...document.querySelectorAll<HTMLElement>("[data-desk] [data-collapsed]")].find((one) =>
    one.contains(control),
  );
  const focused = collapsed === undefined ? control : collapsed.previousElementSibling;
  if (focused instanceof HTMLElement) focused.focus();
}

function usePaneKeys() {
  useShortcuts([
    { keys: "1", label: "desk.keys.calls", group: "page", run: () => focusPane("calls") },
    { keys: "2", label: "desk.keys.units", group: "page", run: () => focusPane("units") },
    { keys: "3", label: "desk.keys.places", group: "page", run: () => focusPane("places") },
    { keys: "4", label: "desk.keys.feed", group: "page", run: () => focusPane("feed") },
    { keys: "o", label: "desk.keys.ask", group: "page" },
  ]);
}

function Desk() {
  const { t } = useText();
  const window = useSignOn();
  const calls = usePresentCalls();
  const units = useUnits();
  const failed = calls.isError ? calls : units.isError ? units : null;
  usePaneKeys();
  return (
    <div className={classes["desk"]} data-desk>
      <header className={classes["top"]}>
        <h1>{t("desk.title")}</h1>
        <DispatchersLine window={window} />
        <NewCall />
      </header>
      {failed !== null && <ProblemNote error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />}
      {failed === null && (calls.data === undefined || units.data === undefined) && <Bars widths={["60%", "80%", "50%"]} />}
      {calls.data && units.data && <Work present={calls.data} units={units.data} />}
    </div>
  );
}

function NewCall() {
  const { t } = useText();
  const search: DeskSearch = route.useSearch();
  const navigate = useNavigate();
  if (!useAbilities().has(callsPermissions.create)) return null;
  const go = (next: DeskSearch) => void navigate({ to: "/dispatch", search: next, replace: true });
  const { new: asked, ...rest } = search;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPhonePlus size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => go({ ...rest, new: "1" })}
      >
        {t("desk.calls.new")}
      </Button>
      {asked === "1" && <NewDialog onClose={() => go(rest)} />}
    </>
  );
}

interface WorkProps {
  readonly present: NonNullable<ReturnType<typeof usePresentCalls>["data"]>;
  readonly units: NonNullable<ReturnType<typeof useUnits>["data"]>;
}

/** Panes that show the open call, by their dividers. */
const ofDetail: ReadonlySet<string> = new Set(["detail", "narrow"]);

/** Shows the pane of the open call again where it is collapsed: who opens a call wants to see it. */
function useRestored() {
  const { value, change } = usePreference(deskPanes);
  return () => {
    if (value.collapsed?.some((id) => ofDetail.has(id)) !== true) return;
    // A failure only means that the pane stays collapsed, which a double click changes too.
    void change(({ collapsed = [], ...rest }) => ({ ...rest, collapsed: collapsed.filter((id) => !ofDetail.has(id)) })).catch(
      () => undefined,
    );
  };
}

/** Who is there while nothing is open, and what ended last. */
function quietText(t: Translate, present: WorkProps["present"], units: WorkProps["units"]): string {
  const { people, available, crewed, ended } = quietOf(present.items, units);
  return [
    t("desk.quiet.people", { count: people }),
    t("desk.quiet.units", { count: crewed, available }),
    t("desk.quiet.ended", { count: ended, minutes: archiveAfterMs / 60_000 }),
  ].join(" ");
}

function Work({ present, units }: WorkProps) {
  const { t } = useText();
  const client = useQueryClient();
  const { announcement, announce } = useAnnouncement();
  const search: DeskSearch = route.useSearch();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Call | null>(null);
  const changes = useCrewChanges(announce);
  const assign = useAssign(units.items, announce);
  const narrow = useMediaQuery("(max-width: 1279.9px)", false, { getInitialValueInEffect: false });
  const statuses = useStatuses().data?.items ?? [];
  const panics = usePresentPanics().data?.items ?? [];
  const pressed = new Map(panics.map(({ callId, person }) => [callId, person?.name ?? ""]));
  const restore = useRestored();
  const open = useMemo(() => callRows(present.items), [present.items]);
  const selected = search.call === undefined ? null : Number(search.call);
  const go = (next: DeskSearch) => void navigate({ to: "/dispatch", search: next, replace: true });
  const actions: DeskActions = useLatest({
    open(call: number) {
      restore();
      go({ call: String(call) });
    },
    ask: setAsking,
    assign: (call: number, unit: number) => void assign(call, unit),
    newCall: () => go({ ...search, new: "1" }),
  });
  const parts = {
    calls: (
      <CallPane
        calls={present.items}
        open={open}
        waitSeconds={present.waitSeconds}
        quiet={quietText(t, present, units)}
        {...{ selected, actions, pressed }}
      />
    ),
    places: <PlacePane calls={open} units={units.items} actions={actions} />,
    units: (
      <UnitPane
        units={units.items}
        calls={open}
        selected={open.find(({ id }) => id === selected) ?? null}
        {...{ actions, changes }}
        strip={narrow}
      />
    ),
    feed: <FeedPane calls={present.items} units={units.items} actions={actions} />,
    detail: <Detail id={selected} onClose={() => go({})} />,
  };
  return (
    <>
      <div className={classes["body"]}>{narrow ? <Narrow {...parts} /> : <Wide {...parts} />}</div>
      <CommandLine
        known={commandWords(t, { calls: present.items, units, panics, statuses, selected })}
        knownNow={() =>
          commandWords(t, {
            calls: client.getQueryData<typeof present>(readCalls.queryKey)?.items ?? [],
            units: client.getQueryData<typeof units>(readUnits.queryKey) ?? units,
            panics: client.getQueryData<{ items: typeof panics }>(readPresentPanics.queryKey)?.items ?? panics,
            ...{ statuses, selected },
          })
        }
        onOpen={actions.open}
      />
      {asking !== null && <AskDialog call={asking} onClose={() => setAsking(null)} />}
      <div className="rc-hidden" role="status">
        <span key={announcement.count}>{announcement.text}</span>
      </div>
    </>
  );
}

type Parts = Readonly<Record<"calls" | "places" | "units" | "feed" | "detail", React.ReactNode>>;

function Wide({ calls, places, units, feed, detail }: Parts) {
  const { t } = useText();
  const lists = <Panes id="calls" direction="row" share={58} label={t("desk.edges.calls")} first={calls} second={places} />;
  return (
    <Panes
      id="units"
      direction="row"
      share={70}
      label={t("desk.edges.units")}
      first={<Panes id="detail" direction="column" share={52} label={t("desk.edges.detail")} first={lists} second={detail} />}
      second={<Panes id="feed" direction="column" share={64} label={t("desk.edges.feed")} first={units} second={feed} />}
    />
  );
}

/** Units are one line above, so that calls and the open one have the room. */
function Narrow({ calls, places, units, feed, detail }: Parts) {
  const { t } = useText();
  return (
    <div className={classes["narrow"]}>
      {units}
      <Panes
        id="narrow"
        direction="row"
        share={46}
        label={t("desk.edges.narrow")}
        first={<Panes id="places" direction="column" share={66} label={t("desk.edges.places")} first={calls} second={places} />}
        second={<Panes id="happened" direction="column" share={72} label={t("desk.edges.feed")} first={detail} second={feed} />}
      />
    </div>
  );
}

function Detail({ id, onClose }: { readonly id: number | null; onClose(): void }) {
  const { t } = useText();
  if (id === null) return <EmptyState icon={IconPointer} title={t("desk.detail.title")} text={t("desk.detail.text")} />;
  return (
    <div className={classes["detail"]}>
      <CallView key={id} id={id} onClose={onClose} />
    </div>
  );
}
