import { type CSSProperties, memo, useMemo, useState } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconCarSuv, IconUserPlus } from "@tabler/icons-react";
import type { Unit } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import type { Call } from "#features/calls/calls.api.ts";
import { type CrewChanges, STATUS_ICONS, StatusButtons } from "#features/units/units.api.ts";
import { ScrollArea } from "#ui/scroll.tsx";
import { useLatest } from "#ui/latest.ts";
import { EmptyState } from "#ui/states.tsx";
import type { DeskActions } from "./actions.ts";
import { Age, Ages } from "./ages.tsx";
import { dragSource, dropTarget } from "./drag.ts";
import { Frame } from "./frame.tsx";
import { unitGroups, workOf } from "./order.ts";
import classes from "./desk.module.css";

/** Calls of a unit that its line names. */
const mostNamed = 3;

interface Props {
  readonly units: readonly Unit[];
  readonly calls: readonly Call[];
  /** The call that is open: what the buttons of units are about. */
  readonly selected: Call | null;
  readonly actions: DeskActions;
  readonly changes: CrewChanges;
  /** One line, where there is little room. */
  readonly strip: boolean;
}

/** Units by status, available ones first. */
export function UnitPane({ units, calls, selected, actions, changes, strip }: Props) {
  const { t } = useText();
  const groups = useMemo(() => unitGroups(units), [units]);
  const work = useMemo(() => workOf(calls), [calls]);
  const [open, setOpen] = useState<number | null>(null);
  const { toggle } = useLatest({ toggle: (id: number) => setOpen(id === open ? null : id) });
  const free = groups.find(({ base }) => base === "available")?.units.length ?? 0;
  if (groups.length === 0)
    return (
      <Frame title={t("desk.units.title")} head={t("desk.units.none")}>
        <EmptyState
          icon={IconCarSuv}
          title={t("desk.units.empty.title")}
          text={t("desk.units.empty.text")}
          action={<Button renderRoot={(props) => <Link to="/units" {...props} />}>{t("desk.units.toUnits")}</Button>}
        />
      </Frame>
    );
  const chosen = units.find(({ id }) => id === open);
  return (
    <Frame title={t("desk.units.title")} head={t("desk.units.head", { count: free })}>
      <ScrollArea className={strip ? classes["strip"] : classes["scroll"]} label={t("desk.units.title")}>
        <Ages every={5_000}>
          {groups.map(({ base, units: list }) => (
            <section key={base} data-pane="units" className={classes["group"]} aria-label={t(`desk.bases.${base}`)}>
              <h3>{t("desk.units.group", { base: t(`desk.bases.${base}`), count: list.length })}</h3>
              <ul className={classes["units"]}>
                {list.map((unit) => (
                  <UnitLine
                    key={unit.id}
                    {...{ unit, actions }}
                    works={work.get(unit.id) ?? idle}
                    isOpen={unit.id === open}
                    onOpen={toggle}
                  >
                    {!strip && unit.id === open && <UnitActions {...{ unit, selected, actions, changes }} />}
                  </UnitLine>
                ))}
              </ul>
            </section>
          ))}
        </Ages>
      </ScrollArea>
      {strip && chosen !== undefined && <UnitActions unit={chosen} {...{ selected, actions, changes }} />}
    </Frame>
  );
}

interface LineProps {
  readonly unit: Unit;
  readonly works: readonly Call[];
  readonly actions: DeskActions;
  readonly isOpen: boolean;
  onOpen(id: number): void;
  readonly children: React.ReactNode;
}

const idle: readonly Call[] = [];

/** The list of its calls is another one after each change of any call; what is in it mostly is not. */
const isSame = ({ works: before, ...a }: LineProps, { works: after, ...b }: LineProps) =>
  before.length === after.length &&
  before.every((call, at) => call === after[at]) &&
  (Object.keys(b) as (keyof typeof b)[]).every((name) => a[name] === b[name]);

const UnitLine = memo(PlainUnitLine, isSame);

function PlainUnitLine({ unit, works, actions, isOpen, onOpen, children }: LineProps) {
  const { t } = useText();
  const [over, setOver] = useState(false);
  const { id, name, callsign, initials, colour, crew, maxCrew, status, grey, homePostal } = unit;
  const Icon = STATUS_ICONS[status.base];
  return (
    <li
      className={classes["unit"]}
      data-unit={id}
      data-grey={grey || undefined}
      data-over={over || undefined}
      {...(crew.length === 0 ? {} : dragSource({ kind: "unit", id }, name))}
      {...dropTarget("call", setOver, (call) => actions.assign(call, id))}
    >
      <button type="button" className={classes["row"]} aria-expanded={isOpen} onClick={() => onOpen(id)}>
        <span className={classes["first"]}>
          <span className={classes["sign"]} style={{ "--unit": colour } as CSSProperties}>
            {callsign ?? initials}
          </span>
          <Icon size={15} aria-hidden />
          <span className={classes["grow"]}>{status.name ?? name}</span>
          <span className="rc-number" title={t("desk.units.crew", { count: crew.length, most: maxCrew })}>
            {crew.length}/{maxCrew}
          </span>
          <Age since={status.since} />
        </span>
        <span className={classes["second"]}>
          {works.slice(0, mostNamed).map((call) => (
            <span key={call.id}>
              #{call.id} {call.postal}
            </span>
          ))}
          {works.length > mostNamed && <span>{t("desk.units.more", { count: works.length - mostNamed })}</span>}
          {grey && <span>{t("desk.units.grey")}</span>}
          {works.length === 0 && !grey && (
            <span>{crew.length === 0 ? t("desk.units.nobody") : crew.map((one) => one.name).join(", ")}</span>
          )}
          {works.length === 0 && homePostal !== null && <span>{t("desk.units.home", { postal: homePostal })}</span>}
        </span>
      </button>
      {children}
    </li>
  );
}

interface UnitActionsProps {
  readonly unit: Unit;
  readonly selected: Call | null;
  readonly actions: DeskActions;
  readonly changes: CrewChanges;
}

function UnitActions({ unit, selected, actions, changes }: UnitActionsProps) {
  const { t } = useText();
  const isOn = selected?.units.some((on) => on.unit.id === unit.id) === true;
  const may = selected?.work.includes("offer") === true && !isOn && unit.crew.length > 0;
  return (
    <div className={classes["doing"]}>
      <strong>{unit.name}</strong>
      {may && (
        <Button
          size="compact-md"
          leftSection={<IconUserPlus size={15} aria-hidden />}
          onClick={() => actions.assign(selected.id, unit.id)}
        >
          {t("desk.units.assign", { id: `DSP-${selected.id}` })}
        </Button>
      )}
      {unit.may.includes("status") && unit.crew.length > 0 && <StatusButtons unit={unit} changes={changes} />}
      {!may && !unit.may.includes("status") && <span className={classes["quiet"]}>{t("desk.units.nothing")}</span>}
    </div>
  );
}
