(module
  ;; A component may not be left while the host lowers into it.
  (import "teacher-assist:plugin/clock@0.2.0" "now" (func $now (result i64)))
  (memory (export "memory") 2)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
    (drop (call $now)) (i32.const 65536))
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32)
    (i32.const 1024)))
