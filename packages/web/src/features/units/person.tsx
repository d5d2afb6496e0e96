import { Button, Menu } from "@mantine/core";
import type { FreePerson, Member, Unit } from "@rollcall/server/contract/units";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { dragSource } from "./drag.ts";
import type { CrewChanges } from "./units.queries.ts";
import classes from "./units.module.css";

interface Props {
  readonly person: Pick<Member, "id" | "name" | "state" | "mayMove"> & Partial<Pick<Member & FreePerson, "role">>;
  /** Where the person is; null without one. */
  readonly unit: Unit | null;
  readonly targets: readonly Unit[];
  readonly changes: CrewChanges;
}

/** Somebody in a unit or in none; who may be moved is a menu with the units, and can be dragged to one. */
export function Person({ person, unit, targets, changes }: Props) {
  const { t } = useText();
  const { id, job } = useActiveIdentity().character;
  const own = id === person.id;
  const { state, role } = person;
  // Who is in no unit is of the own job.
  const name = useNamer()(person, unit?.job.name ?? job.name);
  const label = [name, role, state === "on" ? null : t(`units.members.${state}`)].filter(Boolean).join(" · ");
  const drags = person.mayMove || own ? dragSource({ id: person.id, name, own: own && !person.mayMove }) : {};
  if (!person.mayMove)
    return (
      <li className={classes["person"]} data-state={state} data-person={person.id} {...drags}>
        {label}
      </li>
    );
  return (
    <li className={classes["person"]} data-state={state} data-person={person.id} {...drags}>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="compact-sm" variant="default" disabled={changes.busy} aria-label={t("units.moveNamed", { name: label })}>
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t("units.moveTo")}</Menu.Label>
          {targets
            .filter(({ id }) => id !== unit?.id)
            .map((target) => (
              <Menu.Item
                key={target.id}
                disabled={target.crew.length >= target.maxCrew}
                onClick={() => void changes.move(person, target)}
              >
                {target.name}
              </Menu.Item>
            ))}
          {unit !== null && <Menu.Item onClick={() => void changes.move(person, null)}>{t("units.takeOut")}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
