import { UnstyledButton, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { ActionList, useAnnouncement } from "./actionList.tsx";
import type { Chip } from "./listFilters.ts";
import classes from "./list.module.css";

interface ChipsProps {
  readonly chips: readonly Chip[];
  onRemove(id: string): void;
  onClear(): void;
}

/** What is filtered, above the rows; each can be removed by mouse and keyboard. */
export function FilterChips({ chips, onRemove, onClear }: ChipsProps) {
  const { t } = useText();
  const { announcement, announce } = useAnnouncement();
  const remove = ({ id, text }: Chip) => {
    onRemove(id);
    announce(t("web.filter.removed", { filter: text }));
  };
  return (
    <ActionList
      label={t("web.filter.set")}
      announcement={announcement}
      className={chips.length > 0 ? classes["chips"] : undefined}
    >
      {chips.length > 0 && (
        <>
          <ul aria-label={t("web.filter.set")}>
            {chips.map((chip) => (
              <li key={chip.id}>
                <UnstyledButton
                  className={classes["chip"] ?? ""}
                  aria-label={t("web.filter.remove", { filter: chip.text })}
                  onClick={() => remove(chip)}
                  onKeyDown={({ key }) => (key === "Delete" || key === "Backspace") && remove(chip)}
                >
                  <span>{chip.text}</span>
                  <IconX size={13} aria-hidden />
                </UnstyledButton>
              </li>
            ))}
          </ul>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
            {t("web.filter.clear")}
          </Button>
        </>
      )}
    </ActionList>
  );
}
