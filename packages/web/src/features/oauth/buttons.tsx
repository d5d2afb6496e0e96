import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { beginHref, useProviders } from "./providers.ts";
import { Sign } from "./sign.tsx";
import classes from "./oauth.module.css";

/** Buttons of the external providers, on the sign-in page. */
export function ProviderButtons() {
  const { t } = useText();
  const providers = useProviders();
  if (providers === null || providers.length === 0) return null;
  const back = location.pathname + location.search;
  return (
    <div className={classes["buttons"]}>
      <div className={classes["or"]}>{t("oauth.signIn.or")}</div>
      {providers.map(({ name, label, icon, iconName }) => (
        <Button
          key={name}
          component="a"
          href={beginHref(name, back)}
          variant="default"
          fullWidth
          leftSection={<Sign src={icon} name={iconName} />}
        >
          <span className={classes["label"]}>{t("oauth.signIn.with", { provider: label })}</span>
        </Button>
      ))}
    </div>
  );
}
