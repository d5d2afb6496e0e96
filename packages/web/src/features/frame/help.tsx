import { Switch } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { useRegisteredShortcuts, type Shortcut } from "#core/keyboard.ts";
import { setPreferences, usePreferences } from "#core/preferences.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Keys } from "#ui/small.tsx";
import classes from "./dialogs.module.css";

const GROUPS: readonly Shortcut["group"][] = ["page", "goto", "anywhere"];

/** The keyboard shortcuts that currently apply. */
export default function HelpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const shortcuts = useRegisteredShortcuts();
  const { singleKeys } = usePreferences();
  return (
    <Dialog onClose={onClose} title={t("web.keys.title")} size="lg">
      <div className={classes["groups"]}>
        {GROUPS.map((group) => {
          const own = unique(shortcuts.filter((one) => one.group === group));
          if (own.length === 0) return null;
          return (
            <section key={group}>
              <h3>{t(`web.keys.group.${group}`)}</h3>
              <dl className={classes["keys"]}>
                {own.map(({ keys, label }) => (
                  <div key={keys}>
                    <dt>{t(label)}</dt>
                    <dd>
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      <Switch
        mt="md"
        label={t("web.keys.single")}
        description={t("web.keys.singleText")}
        checked={singleKeys}
        onChange={(event) => setPreferences({ singleKeys: event.currentTarget.checked })}
      />
    </Dialog>
  );
}

function unique(shortcuts: readonly Shortcut[]): readonly Shortcut[] {
  return [...new Map(shortcuts.map((one) => [one.keys, one])).values()];
}
