import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import {
  dismissStorm,
  getStorm,
  listStormAlerts,
  listStorms,
  openStorm,
  type StormDetail,
} from "@rollcall/server/contract/calls";
import contract from "virtual:form/calls/dismissStorm";
import { type Translate, useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { ConfirmReason } from "#ui/confirmReason.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Section, TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { PriorityMark } from "./age.tsx";
import { type StormAlert, useStorm, useStormAlerts } from "./calls.queries.ts";
import { useAttempt } from "./merging.ts";
import { refOf } from "./ref.ts";
import { TypeTag } from "./typeTag.tsx";
import classes from "./calls.module.css";

export interface StormDialogProps {
  readonly id: number;
  onClose(): void;
}

type Place = StormDetail["byPlace"][number];

/** Makes a call of an alert, or of all of a place, and says which one it is. */
function useOpening(id: number) {
  const { t } = useText();
  const attempt = useAttempt();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const open = async (body: { readonly alertId: number } | { readonly place: string }) => {
    setBusy(true);
    const made = await attempt(async () => await api.call(openStorm, { params: { id }, body }));
    setBusy(false);
    for (const one of [getStorm, listStormAlerts, listStorms]) void queries.invalidateQueries({ queryKey: [one.id] });
    if (made !== null) showToast({ tone: "success", title: t("calls.storms.made", { ref: refOf(made.callId) }) });
  };
  return { busy, open };
}

type Opening = ReturnType<typeof useOpening>;

/** The places of a storm and its alerts, to make calls of them or to dismiss it. */
export default function StormDialog({ id, onClose }: StormDialogProps) {
  const { t } = useText();
  const query = useStorm(id);
  const opening = useOpening(id);
  const [place, setPlace] = useState<Place | null>(null);
  const [dismissing, setDismissing] = useState(false);
  const storm = query.data;
  return (
    <Dialog title={t("calls.storms.dialog", { ref: `STM-${id}` })} size="lg" onClose={onClose}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {storm && (
        <div className={classes["form"]}>
          <Lead storm={storm} />
          <Places {...{ storm, opening, place }} onChoose={setPlace} />
          <Alerts {...{ id, opening }} mayOpen={storm.may.includes("open")} place={place} />
          {storm.may.includes("dismiss") && (
            <div className={classes["actions"]}>
              <Button variant="default" aria-haspopup="dialog" onClick={() => setDismissing(true)}>
                {t("calls.storms.dismiss")}
              </Button>
            </div>
          )}
        </div>
      )}
      {dismissing && storm && <Dismiss storm={storm} onDone={onClose} onClose={() => setDismissing(false)} />}
    </Dialog>
  );
}

function Lead({ storm: { source, running, ended, beganAt } }: { readonly storm: StormDetail }) {
  const { t } = useText();
  const state = ended === null ? t(running ? "calls.storms.running" : "calls.storms.over") : t("calls.storms.ended");
  return (
    <p className={classes["quiet"]}>
      {source === null ? "" : `${t("calls.storms.source", { source })} · `}
      <TimeAgo instant={beganAt} /> · {state}
    </p>
  );
}

function placeName(t: Translate, { postal, place }: Pick<Place, "postal" | "place">): string {
  if (postal !== null) return t("calls.storms.postal", { postal });
  return place === null ? t("calls.storms.nowhere") : t("calls.storms.point", { x: Math.round(place.x), y: Math.round(place.y) });
}

interface PlacesProps {
  readonly storm: StormDetail;
  readonly opening: Opening;
  readonly place: Place | null;
  onChoose(place: Place | null): void;
}

function Places({ storm, opening, place: chosen, onChoose }: PlacesProps) {
  const { t } = useText();
  return (
    <Section title={t("calls.storms.byPlace")} count={storm.places}>
      <ul className={classes["list"]} data-places>
        {storm.byPlace.map((place) => {
          const name = placeName(t, place);
          const isChosen = chosen?.key === place.key;
          const show = t(isChosen ? "calls.storms.showAll" : "calls.storms.show");
          return (
            <li key={place.key}>
              <span className={classes["about"]}>
                <span>{name}</span>
                <span className={classes["quiet"]}>{t("calls.storms.alerts", { count: place.alerts })}</span>
              </span>
              <Button
                variant="subtle"
                aria-pressed={isChosen}
                aria-label={t("calls.storms.showNamed", { text: show, place: name })}
                onClick={() => onChoose(isChosen ? null : place)}
              >
                {show}
              </Button>
              {storm.may.includes("open") && place.left > 0 && (
                <Button
                  variant="default"
                  disabled={opening.busy}
                  aria-label={t("calls.storms.openNamed", { place: name })}
                  onClick={() => void opening.open({ place: place.key })}
                >
                  {t("calls.storms.openPlace")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

interface AlertsProps {
  readonly id: number;
  readonly place: Place | null;
  readonly opening: Opening;
  readonly mayOpen: boolean;
}

function Alerts({ id, place, opening, mayOpen }: AlertsProps) {
  const { t } = useText();
  const query = useStormAlerts(id, place?.key ?? null);
  const pages = query.data?.pages ?? [];
  const title = place === null ? t("calls.storms.all") : t("calls.storms.allOf", { place: placeName(t, place) });
  return (
    <Section title={title} count={pages[0]?.total ?? 0}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      <ol className={classes["list"]} data-alerts-of-storm>
        {pages.flatMap(({ items }) => items.map((alert) => <Alert key={alert.id} {...{ alert, opening, mayOpen }} />))}
      </ol>
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("calls.storms.more")}
        </Button>
      )}
    </Section>
  );
}

function Alert({ alert, opening, mayOpen }: Pick<AlertsProps, "opening" | "mayOpen"> & { readonly alert: StormAlert }) {
  const { t } = useText();
  const { id, at, message, type, priority, anonymous, citizen, phone, callId } = alert;
  return (
    <li>
      <span className={classes["about"]}>
        <span className={classes["text"]}>{message}</span>
        <span className={classes["quiet"]}>
          {citizen === null ? (
            t(anonymous ? "calls.anonymous" : "calls.server")
          ) : (
            <Link to="/citizens/$id" params={{ id: String(citizen.id) }}>
              {citizen.name}
            </Link>
          )}
          {phone !== null && ` · ${phone}`}
        </span>
      </span>
      <PriorityMark priority={priority} />
      {type !== null && <TypeTag type={type} />}
      <TimeAgo instant={at} />
      {callId !== null && (
        <Link to="/calls/$id" params={{ id: String(callId) }}>
          {refOf(callId)}
        </Link>
      )}
      {callId === null && mayOpen && (
        <Button variant="default" disabled={opening.busy} onClick={() => void opening.open({ alertId: id })}>
          {t("calls.storms.open")}
        </Button>
      )}
    </li>
  );
}

interface DismissProps {
  readonly storm: StormDetail;
  onDone(): void;
  onClose(): void;
}

function Dismiss({ storm: { id, left }, onDone, onClose }: DismissProps) {
  const { t } = useText();
  const queries = useQueryClient();
  return (
    <ConfirmReason
      question={{
        title: t("calls.storms.dismissTitle", { ref: `STM-${id}` }),
        text: t("calls.storms.dismissText", { count: left }),
        yes: t("calls.storms.dismiss"),
      }}
      contract={contract}
      label={t("calls.reason")}
      onYes={async (reason) => await api.call(dismissStorm, { params: { id }, body: { reason } })}
      onDone={() => {
        void queries.invalidateQueries({ queryKey: [listStorms.id] });
        onDone();
      }}
      onClose={onClose}
    />
  );
}
