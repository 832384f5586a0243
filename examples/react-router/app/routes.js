import { route } from '@react-router/dev/routes';

export default [route('sign-up', 'routes/sign-up.jsx')];
