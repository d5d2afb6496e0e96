import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { CardLines, HomeCard } from "#ui/homeCard.tsx";
import { type Call, type UnitOnCall, useOwnWork, useWorkChanges } from "./assignments.queries.ts";
import { Countdown, UnitActions } from "./unitLine.tsx";
import classes from "./assignments.module.css";

interface Own {
  readonly call: Call;
  readonly on: UnitOnCall;
}

const ownOf = (calls: readonly Call[]): Own[] =>
  calls.flatMap((call) => call.units.filter(({ mine }) => mine).map((on) => ({ call, on })));

/** What the own unit is asked for and works, each with what its crew can say about it. Nothing without a call. */
export default function WorkCard() {
  const { t } = useText();
  const { data } = useOwnWork();
  const { announcement, announce } = useAnnouncement();
  const changes = useWorkChanges(announce);
  const own = ownOf(data?.calls ?? []);
  if (data?.unit == null || own.length === 0) return null;
  const offers = own.filter(({ on }) => on.state === "offered");
  const [first] = offers.length > 0 ? offers : own;
  const lines = [...offers, ...own.filter(({ on }) => on.state !== "offered")].map(({ call, on }) => ({
    key: on.id,
    line: (
      <span className={classes["call"]} data-assignment={on.id}>
        <span className={classes["line"]}>
          <Link to="/calls/$id" params={{ id: String(call.id) }}>
            DSP-{call.id}
          </Link>
          <span>{call.message}</span>
          {call.postal !== null && <span className={classes["quiet"]}>{call.postal}</span>}
          <span>{t(`assignments.states.${on.state}`)}</span>
          {on.until !== null && <Countdown until={on.until} />}
        </span>
        <UnitActions on={on} call={call} changes={changes} large />
      </span>
    ),
  }));
  const title = t("assignments.card.title", { unit: data.unit.name });
  return (
    <HomeCard
      title={title}
      to={`/calls/${first!.call.id}`}
      action={t("assignments.card.open", { id: `DSP-${first!.call.id}` })}
      sentence={
        offers.length > 0
          ? t("assignments.card.offered", { count: offers.length })
          : t("assignments.card.works", { count: own.length })
      }
    >
      <ActionList label={title} announcement={announcement}>
        <CardLines lines={lines} all />
      </ActionList>
    </HomeCard>
  );
}
