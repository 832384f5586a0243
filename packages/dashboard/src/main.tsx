import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { applyTheme, readTheme } from './shell/theme.ts';
import './styles.css';

applyTheme(readTheme());
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
