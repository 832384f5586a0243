// Vue with Express behind it. One command: npm run example vue
import express from 'express';
import { serveSinglePage } from '../single-page-server.js';

serveSinglePage(express, 'dist');
