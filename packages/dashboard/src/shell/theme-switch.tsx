import { useSyncExternalStore } from 'react';
import { Choice, iconLabel } from '../components/choice.tsx';
import { Monitor, Moon, Sun } from '../icons.ts';
import { applyTheme, onTheme, readTheme, type Theme } from './theme.ts';

const OPTIONS: Readonly<Record<Theme, React.ReactNode>> = {
  system: iconLabel(Monitor, 'As the system'),
  light: iconLabel(Sun, 'Light'),
  dark: iconLabel(Moon, 'Dark'),
};

export function ThemeSwitch() {
  const theme = useSyncExternalStore(onTheme, readTheme);
  return <Choice label="Colours" hideLabel value={theme} options={OPTIONS} onChange={applyTheme} />;
}
