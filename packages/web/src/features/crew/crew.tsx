import { type ReactNode, useState } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconCarSuv, IconClockPause, IconDoorEnter, IconDoorExit, IconPlus } from "@tabler/icons-react";
import { type Unit, unitsPermissions } from "@rollcall/server/contract/units";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useOwnWork, useWorkChanges, type WorkChanges } from "#features/assignments/assignments.api.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { PanicButton } from "#features/panic/panic.api.ts";
import {
  type CrewChanges,
  StatusButtons,
  StatusTag,
  TemporaryDialog,
  useCrewChanges,
  useUnits,
} from "#features/units/units.api.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { ScrollArea } from "#ui/scroll.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { NextCalls } from "./next.tsx";
import { Offer } from "./offer.tsx";
import { type OwnCall, ownCalls } from "./own.ts";
import { useCrewKeys } from "./keys.ts";
import { Work } from "./work.tsx";
import classes from "./crew.module.css";

/** The own unit and its calls, for a thumb: on a phone, and in the tablet of the game. */
export default function CrewPage() {
  const { t } = useText();
  const units = useUnits(true);
  const work = useOwnWork();
  const { announcement, announce } = useAnnouncement();
  const crew = useCrewChanges(announce);
  const changes = useWorkChanges(announce);
  const failed = units.isError ? units : work.isError ? work : null;
  const unit = units.data?.items.find(({ mine }) => mine);
  return (
    <ScrollArea className={classes["page"]} label={t("crew.title")}>
      <ActionList label={t("crew.title")} className={classes["inner"]} announcement={announcement}>
        <header className={classes["head"]}>
          <h1>{t("crew.title")}</h1>
          {unit !== undefined && <About unit={unit} />}
        </header>
        {failed !== null && (
          <ProblemNote error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
        )}
        {failed === null && (units.isPending || work.isPending) && <Bars widths={["60%", "80%", "50%"]} />}
        {failed === null && units.data && work.data && (
          <>
            {!units.data.onDuty && <OffDuty />}
            {units.data.onDuty && unit === undefined && <NoUnit units={units.data.items} changes={crew} />}
            {unit !== undefined && <Calls {...ownCalls(work.data.calls)} changes={changes} onDuty={units.data.onDuty} />}
            {unit !== undefined && <OwnUnit unit={unit} changes={crew} />}
            <div className={classes["panic"]}>
              <PanicButton />
            </div>
          </>
        )}
      </ActionList>
    </ScrollArea>
  );
}

/** Which unit, with whom, and its status. */
function About({ unit }: { readonly unit: Unit }) {
  const { t } = useText();
  const nameOf = useNamer();
  const { name, callsign, status, crew, job, radio } = unit;
  return (
    <div className={classes["about"]} data-unit={unit.id}>
      <strong>{name}</strong>
      {callsign !== null && callsign !== name && <span>{callsign}</span>}
      <StatusTag status={status} />
      <TimeAgo instant={status.since} />
      <span className={classes["quiet"]}>{crew.map((member) => nameOf(member, job.name)).join(", ")}</span>
      {radio !== null && <span className={classes["quiet"]}>{t("crew.radio", { radio })}</span>}
    </div>
  );
}

function OffDuty() {
  const { t } = useText();
  return (
    <EmptyState
      icon={IconClockPause}
      title={t("crew.offDuty.title")}
      text={t("crew.offDuty.text")}
      action={<Button renderRoot={(props) => <Link to="/duty" {...props} />}>{t("crew.offDuty.go")}</Button>}
    />
  );
}

/** On duty without a unit: those that have room, or one of one's own. */
function NoUnit({ units, changes }: { readonly units: readonly Unit[]; readonly changes: CrewChanges }) {
  const { t } = useText();
  const mayMake = useAbilities().has(unitsPermissions.temporary);
  const [making, setMaking] = useState(false);
  const open = units.filter(({ may }) => may.includes("join"));
  return (
    <section className={classes["part"]} aria-label={t("crew.none.title")}>
      <EmptyState
        icon={IconCarSuv}
        title={t("crew.none.title")}
        text={t(open.length > 0 ? "crew.none.text" : mayMake ? "crew.none.make" : "crew.none.ask")}
      />
      <ul className={classes["list"]}>
        {open.map((unit) => (
          <li key={unit.id}>
            <Button
              fullWidth
              size="lg"
              variant="default"
              leftSection={<IconDoorEnter size={18} aria-hidden />}
              disabled={changes.busy}
              onClick={() => void changes.join(unit)}
            >
              {t("crew.none.join", { name: unit.name, crew: unit.crew.length, most: unit.maxCrew })}
            </Button>
          </li>
        ))}
      </ul>
      {mayMake && (
        <Button
          size="lg"
          variant={open.length > 0 ? "default" : "filled"}
          leftSection={<IconPlus size={18} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setMaking(true)}
        >
          {t("crew.none.temporary")}
        </Button>
      )}
      {making && <TemporaryDialog onClose={() => setMaking(false)} />}
    </section>
  );
}

interface CallsProps {
  readonly offers: readonly OwnCall[];
  readonly works: readonly OwnCall[];
  readonly changes: WorkChanges;
  readonly onDuty: boolean;
}

/** Offers before all, then the call that the unit is furthest with or that was chosen, then the others. */
function Calls({ offers, works, changes, onDuty }: CallsProps) {
  const { t } = useText();
  const [chosen, setChosen] = useState<number | null>(null);
  const current = works.find(({ call }) => call.id === chosen) ?? works[0];
  useCrewKeys(offers[0], current, changes);
  const quiet: ReactNode = onDuty && offers.length === 0 && current === undefined && (
    <p className={classes["quiet"]}>{t("crew.nothing")}</p>
  );
  return (
    <>
      {offers.length > 0 && (
        <section className={classes["part"]} aria-label={t("crew.offers")}>
          <ul className={classes["list"]}>
            {offers.map((own) => (
              <Offer key={own.on.id} own={own} changes={changes} />
            ))}
          </ul>
        </section>
      )}
      {current !== undefined && <Work key={current.on.id} own={current} changes={changes} />}
      {works.length > 1 && <NextCalls calls={works.filter((one) => one !== current)} onChoose={setChosen} />}
      {quiet}
    </>
  );
}

function OwnUnit({ unit, changes }: { readonly unit: Unit; readonly changes: CrewChanges }) {
  const { t } = useText();
  const { may } = unit;
  return (
    <section className={classes["part"]} aria-label={t("crew.status")}>
      {may.includes("status") && <StatusButtons unit={unit} changes={changes} />}
      {may.includes("leave") && (
        <Button
          className={classes["leave"]}
          variant="default"
          leftSection={<IconDoorExit size={16} aria-hidden />}
          disabled={changes.busy}
          onClick={() => void changes.leave()}
        >
          {t("crew.leave")}
        </Button>
      )}
    </section>
  );
}
