import { index, route } from '@react-router/dev/routes';

export default [index('routes/home.jsx'), route('sign-up', 'routes/sign-up.jsx')];
