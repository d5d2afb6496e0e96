import { useRef, useState, type KeyboardEvent } from "react";
import { Menu } from "@mantine/core";
import { IconArrowBarDown, IconCheck, IconMinus, IconPencil, IconX } from "@tabler/icons-react";
import type { roleMatrix } from "@rollcall/server/contract/access";
import type { OutputOf } from "@rollcall/server/contract/core";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { permissionName } from "#core/messages.ts";
import { attributeName, choiceOf, reasonText, type GrantChoice, type Permission } from "./grants.ts";
import { useAttributeText } from "./naming.tsx";
import classes from "./matrix.module.css";

export type GradeRole = OutputOf<typeof roleMatrix>["grades"][number];

interface CellProps {
  /** Its place, as `column,row`. */
  readonly at: string;
  /** One cell of the table is reached by Tab, the others by arrow keys. */
  readonly tabbable: boolean;
  readonly permission: Permission;
  readonly grade: GradeRole;
  /** The next lower grade. */
  readonly below: GradeRole | undefined;
  onKeyDown(event: KeyboardEvent): void;
  onFocus(): void;
  onChoose(choice: GrantChoice): Promise<unknown>;
  /** Opens the role of the grade. */
  onOpen(): void;
}

/** What one grade holds of one permission, in words. */
function useEffectText({ permission, grade }: CellProps) {
  const { t } = useText();
  const textOf = useAttributeText();
  const decision = grade.decisions.find((one) => one.permission === permission.id);
  const job = useJob(decision?.from?.job ?? "");
  const values = (decision?.attributes ?? []).map(
    ({ name, value }) => `${attributeName(t, name)}: ${textOf(permission.id, name, value)}`,
  );
  return { decision, effect: [reasonText(t, decision, job), ...values].join("; ") };
}

/** What one grade holds of one permission; pressed, what its role may say instead. */
export function Cell(props: CellProps) {
  const { t } = useText();
  const { permission, grade } = props;
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { decision, effect } = useEffectText(props);
  const fields = fieldsOf(props);
  const isDenied = decision?.held === false && decision.reason !== "none";
  const state = decision?.held ? "held" : isDenied ? "denied" : "none";
  const Icon = state === "held" ? IconCheck : state === "denied" ? IconX : IconMinus;
  const close = () => {
    setOpened(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes["cell"]}
        data-cell={props.at}
        data-state={state}
        data-own={choiceOf(grade.grants[permission.id]) !== "inherit"}
        tabIndex={props.tabbable ? 0 : -1}
        title={effect}
        aria-label={`${permissionName(t, permission.id)}, ${grade.label || grade.grade}: ${[effect, fields].filter(Boolean).join(", ")}`}
        {...(grade.mayEdit ? { "aria-haspopup": "menu", "aria-expanded": opened } : {})}
        onKeyDown={props.onKeyDown}
        onFocus={props.onFocus}
        onClick={() => (grade.mayEdit ? setOpened(true) : props.onOpen())}
      >
        <Icon size={16} aria-hidden />
        {fields !== "" && <span>{fields}</span>}
      </button>
      {opened && <Choices {...props} onClose={close} />}
    </>
  );
}

function Choices({ onClose, ...props }: CellProps & { onClose(): void }) {
  const { t } = useText();
  const { permission, grade, below } = props;
  const choice = choiceOf(grade.grants[permission.id]);
  const choices = [
    { said: "allow", icon: IconCheck, text: t("access.said.allow") },
    { said: "deny", icon: IconX, text: t("access.said.deny") },
    {
      said: "inherit",
      icon: IconArrowBarDown,
      text: below ? t("access.sameAs", { grade: below.label || below.grade }) : t("access.sameAsEveryone"),
    },
  ] as const;
  return (
    <Menu opened onClose={onClose} position="bottom" withinPortal returnFocus={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" tabIndex={-1} className={classes["anchor"]} aria-label={permissionName(t, permission.id)} />
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ said, icon: Icon, text }) => (
          <Menu.Item
            key={said}
            data-said={said}
            leftSection={<Icon size={15} />}
            {...(said === choice ? { "aria-current": "true" as const } : {})}
            onClick={() => void props.onChoose(said)}
          >
            {text}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={props.onOpen}>
          {t("access.matrix.open")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** How many of the fields that the permission knows; empty for others. */
function fieldsOf({ permission, grade }: CellProps): string {
  const known = permission.attributes.find(({ type }) => type === "strings");
  const decision = grade.decisions.find((one) => one.permission === permission.id);
  const value = decision?.attributes.find(({ name }) => name === known?.name)?.value;
  if (!known || !decision?.held) return "";
  return `${Array.isArray(value) ? value.length : 0}/${known.values.length}`;
}
