"""The class together: a teacher's page leads, students' pages follow. It knows no view."""
